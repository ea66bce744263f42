/** Someone who waits to be matched, with what matching needs to know and nothing else. */
export interface WaitingPerson {
  participantId: string
  /** When they began to wait; their place in the queue. */
  arrivedAt: number
  /** Only people of one revision share a room (R22). */
  revision: number
  /** What they asked for when they joined; `participant` when they take any. */
  role: string
  /** The values of the join metadata that the experiment's matching looks at. */
  attributes: Readonly<Record<string, string | number | boolean>>
}

export interface Group {
  roomId: string
  experimentId: string
  podId: string
  members: readonly { participantId: string; role: string }[]
  /** Roles of the seats that agents take. */
  agents: readonly { role: string }[]
}

/** A group that was claimed and whose room is being made. It lapses: whoever is without a room by then waits again. */
export interface Reservation extends Group {
  until: number
}

export type Claim =
  | { kind: 'claimed' }
  /** These no longer wait: matched by another, gone, or absent for too long. */
  | { kind: 'people_gone'; participantIds: string[] }
  /** The pod is dead, draining or full. */
  | { kind: 'pod_unfit' }
  | { kind: 'room_exists' }

/** Where one stands: counted from 1 over those who are present; null for who waits no more because they were claimed. */
export type Place =
  | { participantId: string; position: number; arrivedAt: number }
  | { participantId: string; position: null }

export interface QueueView {
  /** Present now, by arrival. */
  people: WaitingPerson[]
  /** Absent for longer than the grace: ghosts, which are never matched. */
  absent: string[]
}

/**
 * Who waits, for all instances. Each step is atomic: of a claim and anything else that takes a person out of the
 * queue (leaving, a deadline, another claim) exactly one succeeds.
 */
export interface WaitingQueue {
  /**
   * Says that these people are here, and until when that holds unless it is said again. Who is new is added; who waits
   * already keeps their arrival; who was claimed is not added again. Answers in the order asked.
   */
  keep(
    experimentId: string,
    people: readonly WaitingPerson[],
    presentUntil: number,
    now: number,
  ): Promise<{ places: Place[]; waiting: number }>
  /** Takes people out; those who were still waiting, and are no more. */
  leave(experimentId: string, participantIds: readonly string[]): Promise<string[]>
  view(experimentId: string, now: number): Promise<QueueView>
  /** Experiments for which somebody waits. */
  experiments(): Promise<string[]>
  /** One instance leads the matching of an experiment at a time; true while it is this one. */
  lead(experimentId: string, podId: string, forMs: number): Promise<boolean>
  /** All still waiting and present, the pod alive and within its limits, the room new: then all of it at once. */
  claim(group: Group, now: number, until: number): Promise<Claim>
  /** What this pod is to make rooms of. */
  reservedFor(podId: string): Promise<Reservation[]>
  /** Reservations that nobody turned into a room in time. */
  lapsed(now: number): Promise<Reservation[]>
  /** The room is there: the reservation has served. */
  settle(reservation: Group): Promise<void>
  /** There will be no room: these people wait again in their former place; the others are not put back. */
  release(reservation: Group, stillWaiting: readonly string[], presentUntil: number): Promise<void>
  /** When people came, newest last, since a moment: what an estimate of the wait is made of. */
  arrivalsSince(experimentId: string, since: number): Promise<number[]>
}
