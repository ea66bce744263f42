import type { Agent, ExperimentDefinition, RoomEvent, RoomSnapshot, State } from '@atrium/contract'
import type { Value } from '@atrium/expressions'
import type { Assignment } from '@atrium/flow'
import { compileBlueprint } from '../model/blueprint.ts'
import { nextDeadline } from '../model/deadlines.ts'
import type { PlaybackPush } from '../model/playback.ts'
import type { RoomAction } from '../model/room-action.ts'
import type { Emitted } from '../model/room-audience.ts'
import type { RoomState, Seat } from '../model/room-state.ts'
import type { ParticipantRecord } from '../model/turn.ts'
import { snapshotFor } from '../model/view.ts'
import { reportSeats } from '../reports/report.ts'
import type { AgentSeat } from '../rooms.store.ts'
import { emptyRoom } from '../rules/opening.ts'
import { reduceRoom } from '../rules/reduce-room.ts'
import { heardOf } from './hearing.ts'
import { soundDefinition } from './sound-definition.ts'

/** When every played room opens. */
export const openedAt = 1_000_000

/** A component with settings of its type. */
export const component = (id: string, type: string, settings: object = {}) => ({ ...settings, id, type })
export const slider = component('rate', 'slider')
export const state = (id: string, more: Partial<State> = {}): State => ({ id, components: [], ...more })

/** Two or more people, unless overridden; the definition must be valid. */
export const group = (
  states: State[],
  more: Partial<ExperimentDefinition> = {},
): Partial<ExperimentDefinition> => ({
  states,
  matching: { groupSize: 2 },
  ...more,
})

export interface PlayOptions {
  /** The role of each person, in the order of their seats: p1, p2, … */
  roles?: string[]
  /** What each person joined with, in the same order. */
  metadata?: Record<string, Value>[]
  /** If false, they are away until they connect. */
  isConnected?: boolean
  ordinal?: number
  seed?: string
  /** Seats that matching left for agents. */
  agents?: AgentSeat[]
  /** What the room was assigned when it began. */
  assigned?: Assignment
  /** The agents of a pilot. */
  personas?: Agent[]
  /** If false, hidden agents sit there as they did before RM172. */
  blendsAgents?: false
}

interface PlayedStep {
  action: RoomAction
  at: number
  before: RoomState
  after: RoomState
  emitted: Emitted[]
  played: PlaybackPush[]
}

/** A room without a server, with a clock that the test moves. */
export function playRoom(given: Partial<ExperimentDefinition>, options: PlayOptions = {}) {
  const definition = soundDefinition({ name: 'Test', ...given })
  const size = definition.matching?.groupSize ?? 1
  const roles = options.roles ?? Array.from({ length: Number(size) }, () => 'participant')
  const { ordinal = 0, seed = 'seed' } = options
  const blueprint = compileBlueprint(definition)
  const origin = { roomId: 'room_1', experimentId: 'exp_1', revision: 1, seed, ordinal }
  const emitted: Emitted[] = []
  const steps: PlayedStep[] = []
  const records: ParticipantRecord[] = []
  const played: PlaybackPush[] = []
  let room: RoomState = emptyRoom(origin, blueprint)
  let now = openedAt
  let actions = 0

  /** The sequence number of the acknowledgement, or the code of the refusal. */
  function dispatch(action: RoomAction): number | string {
    const reduction = reduceRoom(room, action, now, blueprint)
    if (reduction.kind === 'refused') return reduction.refusal.code
    if (reduction.kind === 'repeated') return reduction.seq
    steps.push({
      action,
      at: now,
      before: room,
      after: reduction.room,
      emitted: reduction.emitted,
      played: reduction.played,
    })
    room = reduction.room
    emitted.push(...reduction.emitted)
    records.push(...reduction.records)
    played.push(...reduction.played)
    return room.seq
  }

  function seat(participantId: string): Seat {
    const found = room.seats.find((one) => one.participantId === participantId)
    if (!found) throw new Error(`there is no ${participantId}`)
    return found
  }

  const newId = () => `action-${++actions}`
  const snapshot = (participantId: string): RoomSnapshot => snapshotFor(room, blueprint, participantId, now)
  /** What this participant's socket receives. */
  const heard = (participantId: string): RoomEvent[] =>
    steps.flatMap((step) => heardOf(step.emitted, step, participantId))

  const members = roles.map((role, index) => ({
    participantId: `p${index + 1}`,
    role,
    metadata: options.metadata?.[index] ?? {},
  }))
  const { agents, personas, assigned } = options
  dispatch({
    type: 'opened',
    members,
    seed,
    ordinal,
    countsAbsence: true,
    ...(options.blendsAgents !== false && { blendsAgents: true, finishesTurns: true }),
    ...(agents && { agents }),
    ...(assigned && { assigned }),
    ...(personas && { personas }),
  })
  if (options.isConnected !== false)
    for (const { participantId } of members) dispatch({ type: 'connected', participantId })

  return {
    blueprint,
    dispatch,
    steps,
    seat,
    snapshot,
    heard,
    emitted,
    records,
    played,
    now: () => now,
    room: () => room,
    /** The current state of a participant; null once they have finished. */
    at: (participantId = 'p1'): string | null => snapshot(participantId).state?.id ?? null,
    path: (participantId = 'p1'): (string | null)[] =>
      records
        .filter((record) => record.type === 'state_transition' && record.participantId === participantId)
        .map((record) => record.stateId),
    typesHeard: (participantId: string): string[] => heard(participantId).map(({ type }) => type),
    recordsOf: (participantId: string, type: string): ParticipantRecord[] =>
      records.filter((record) => record.participantId === participantId && record.type === type),
    outcomes: (): (string | null)[] => room.seats.map(({ outcome }) => outcome),
    statuses: (): string[] => room.seats.map(({ status }) => status),
    report: () => reportSeats(room, now),
    due: (): number | null => nextDeadline(room),
    /** Lets time pass and applies each deadline when it is due. */
    pass(ms: number): void {
      const until = now + ms
      for (let due = nextDeadline(room); due !== null && due <= until; due = nextDeadline(room)) {
        if (room.seats.some(({ toAssignSince }) => toAssignSince !== undefined))
          throw new Error('somebody is to be assigned a condition: dispatch it')
        now = Math.max(now, due)
        dispatch({ type: 'tick' })
      }
      now = until
    },
    /** Lets time pass without applying deadlines. */
    passUnnoticed(ms: number): void {
      now += ms
    },
    respond: (participantId: string, componentId: string, value: unknown, more: object = {}) =>
      dispatch({ type: 'submit_response', participantId, actionId: newId(), componentId, value, ...more }),
    ready: (participantId: string, more: object = {}) =>
      dispatch({ type: 'ready', participantId, actionId: newId(), ...more }),
    say: (participantId: string, text: string, more: object = {}) =>
      dispatch({ type: 'send_message', participantId, actionId: newId(), text, ...more }),
    leave: (participantId: string) => dispatch({ type: 'leave', participantId, actionId: newId() }),
    connect: (participantId: string) => dispatch({ type: 'connected', participantId }),
    disconnect: (participantId: string) => dispatch({ type: 'disconnected', participantId }),
  }
}
