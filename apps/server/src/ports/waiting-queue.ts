/** Somebody who waits to be matched, with exactly what matching needs to know. */
export interface WaitingPerson {
  participantId: string
  /** When they began to wait; determines their place in the queue. */
  arrivedAt: number
  /** Only people of one revision share a room (R22). */
  revision: number
  /** The role they asked for when they joined; `participant` if any will do. */
  role: string
  /** The values of the join metadata that the experiment's matching uses. */
  attributes: Readonly<Record<string, string | number | boolean>>
}

/** M29: what was known when a group was formed. Of the members in their order. */
export interface MatchRecord {
  /** Which search found the group: a whole one, a short one, or one with agents. */
  search: 'full' | 'short' | 'with_agents'
  /** People who waited and passed the filters. */
  waiting: number
  /** Those of them among whom the group was sought: without a group so far, and not apart by an exclusion of all who differ. */
  considered: number
  /** How many of those who are not kept apart arrived before its last member and stayed without a group. */
  passedOver: number
  waitedMs: readonly number[]
  /** Which part of the group each member is, counted from 0; null where groups have no parts. */
  parts: readonly number[] | null
}

export interface Group {
  roomId: string
  experimentId: string
  podId: string
  members: readonly { participantId: string; role: string }[]
  /** Roles of the seats taken by agents. */
  agents: readonly { role: string }[]
  /** Absent for groups that were claimed before this was recorded. */
  match?: MatchRecord
}

/** A claimed group whose room is being made. It expires: people without a room by then wait again. */
export interface Reservation extends Group {
  until: number
}

export type Claim =
  | { kind: 'claimed' }
  /** These no longer wait: matched by another instance, gone, or absent for too long. */
  | { kind: 'people_gone'; participantIds: string[] }
  /** The instance is dead, draining or full. */
  | { kind: 'pod_unfit' }
  | { kind: 'room_exists' }

/** A position in the queue, counted from 1 among those present; `null` for participants who were claimed. */
export type Place =
  | { participantId: string; position: number; arrivedAt: number }
  | { participantId: string; position: null }

export interface QueueView {
  /** Present now, in order of arrival. */
  people: WaitingPerson[]
  /** Absent for longer than the grace period: never matched. */
  absent: string[]
}

/**
 * The queue of waiting participants, for all instances. Each later stage of a study has one of its own, whose name stands for an
 * experiment here (`queueIdOf`). Each step is atomic: of a claim and anything else that takes
 * somebody out of the queue (leaving, a deadline, another claim) exactly one succeeds.
 */
export interface WaitingQueue {
  /**
   * Reports that these people are present, and until when unless it is reported again. New people are added, waiting
   * ones keep their arrival, and claimed ones are not added again. Returns positions in the order asked.
   */
  keep(
    experimentId: string,
    people: readonly WaitingPerson[],
    presentUntil: number,
    now: number,
  ): Promise<{ places: Place[]; waiting: number }>
  /** Takes people out; returns those who were still waiting. */
  leave(experimentId: string, participantIds: readonly string[]): Promise<string[]>
  /** R48: takes somebody out, and out of the recent arrivals and claims as well. */
  forget(experimentId: string, participantId: string): Promise<void>
  view(experimentId: string, now: number): Promise<QueueView>
  /** Experiments that somebody waits for. */
  experiments(): Promise<string[]>
  /** One instance leads the matching of an experiment at a time; true while it is this one. */
  lead(experimentId: string, podId: string, forMs: number): Promise<boolean>
  /**
   * Succeeds, all at once, if everybody still waits and is present, the instance is alive and within its limits, and the
   * room is new.
   */
  claim(group: Group, now: number, until: number): Promise<Claim>
  /** The reservations that this instance has to make rooms for. */
  reservedFor(podId: string): Promise<Reservation[]>
  /** Reservations that did not become a room in time. */
  lapsed(now: number): Promise<Reservation[]>
  /** The room exists: the reservation is done. */
  settle(reservation: Group): Promise<void>
  /** There will be no room: these people wait again in their former place. The others are not put back. */
  release(reservation: Group, stillWaiting: readonly string[], presentUntil: number): Promise<void>
  /** Arrivals since a moment, newest last, for the estimate of waiting times. */
  arrivalsSince(experimentId: string, since: number): Promise<number[]>
}
