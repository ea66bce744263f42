import fc from 'fast-check'
import type { RoomAction } from '../model/room-action.ts'
import { type Behaviour, behaviours } from './random-agents.ts'
import { answerable, chats } from './random-definition.ts'

export interface TimedAction {
  afterMs: number
  action: RoomAction | AgentActs
}

/** One of the agents takes the turn that it has then. */
export interface AgentActs {
  type: 'agent_acts'
  /** Which of those with a pending turn. */
  pick: number
  how: Behaviour
}

/** Marks an announcement with the participant who may read it. */
export const whisperTo = (participantId: string): string => `whisper-to-${participantId}`

const samples = [
  [{ t: 0, value: 50 }],
  [
    { t: 1.5, value: 0 },
    { t: 1, value: 100 },
  ],
]
/** Valid responses, including odd ones. */
const fitting = new Map<string, unknown[]>(
  Object.entries({
    rate: [0, 50, 100],
    pick: ['a', 'b'],
    note: ['text', '', '\u202e\u200b🏳️‍🌈', 'line\nbreak'],
    agree: [{ agreed: true }, { agreed: true, readMs: 1e15 }, { agreed: false }],
    tension: samples,
    constructor: samples,
    mood: samples,
    liking: [
      { atMs: 0, value: 1 },
      { atMs: 2_000, value: 99 },
    ],
    film: [{ ended: true }, { ended: true, positionMs: 0.1 }],
    grid: [{ read: 'often' }, { read: 'often', walk: 'never' }, { read: 'never', walk: 'often' }],
    about: [{ P1: 7 }, { P2: 0 }, { P2: 50, P3: 3 }, { P1: 51 }],
    quiz: [{ answers: { q: 'x' } }, { answers: { q: 'y' } }],
    widget: [
      null,
      [],
      {},
      { deep: [[[1e308]]] },
      JSON.parse('{"__proto__":{"polluted":true}}'),
      'constructor',
    ],
  }),
)
/** A response with which one passes, if the component takes any. */
export const fittingAnswer = (componentId: string): unknown => fitting.get(componentId)?.[0]

const unfitting: unknown[] = [
  101,
  null,
  [],
  {},
  'text',
  { answers: {} },
  [{ t: -1, value: 5 }],
  { atMs: 1, value: 1 },
]

/** Mostly a valid response. */
const answer = fc.constantFrom(...answerable, 'nothing', '__proto__').chain((componentId) =>
  fc.record({
    componentId: fc.constant(componentId),
    value: fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...(fitting.get(componentId) ?? unfitting)) },
      { weight: 1, arbitrary: fc.constantFrom(...unfitting) },
    ),
  }),
)

type Weighted = fc.WeightedArbitrary<RoomAction>
const of = <Type extends RoomAction['type']>(type: Type) => fc.constant(type)
const actionId = fc.integer({ min: 0, max: 40 }).map((number) => `act${number}`)
const by = fc.constant('researcher')
const maybe = { requiredKeys: [] as [] }
/** The current state, an earlier one, or mostly none. */
const place = fc.record({ stateId: fc.constantFrom('s0', 's1', 'nowhere'), visit: fc.nat(6) }, maybe)

const ofParticipants = (participantId: fc.Arbitrary<string>): Weighted[] => [
  {
    weight: 10,
    arbitrary: fc
      .record({
        action: fc.record({ type: of('submit_response'), participantId, actionId }),
        answer,
        place: fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, place),
        times: fc.record({ responseTime: fc.nat(9_000), clientTime: fc.nat() }, maybe),
      })
      .map(({ action, answer, place, times }) => ({ ...action, ...answer, ...place, ...times })),
  },
  {
    weight: 6,
    arbitrary: fc
      .record({ action: fc.record({ type: of('ready'), participantId, actionId }), place })
      .map(({ action, place }) => ({ ...action, ...place })),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({
        action: fc.record({
          type: of('cannot_answer'),
          participantId,
          actionId,
          componentId: fc.constantFrom('rate', 'spot', 'nothing'),
          reason: fc.constant('not_loaded' as const),
        }),
        place,
      })
      .map(({ action, place }) => ({ ...action, ...place })),
  },
  {
    weight: 5,
    arbitrary: fc.record(
      {
        type: of('send_message'),
        participantId,
        actionId,
        text: fc.constantFrom('hi', ' ', 'longer than twenty characters', '🏳️‍🌈\n'),
        componentId: fc.constantFrom(...chats, 'rate'),
      },
      { requiredKeys: ['type', 'participantId', 'actionId', 'text'] },
    ),
  },
  { weight: 1, arbitrary: fc.record({ type: of('leave'), participantId, actionId }) },
]

const componentId = fc.constantFrom('film', 'film', 'rate', '__proto__')
/** What players send. */
const ofPlayers = (participantId: fc.Arbitrary<string>): Weighted[] => [
  {
    weight: 4,
    arbitrary: fc.record({
      type: of('playback_buffer'),
      participantId,
      componentId,
      status: fc.constantFrom('ready' as const, 'ready' as const, 'stalled' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({
        action: fc.record({ type: of('playback_command'), participantId, actionId, componentId }),
        command: fc.constantFrom('play' as const, 'pause' as const, 'seek' as const),
        more: fc.record(
          { positionMs: fc.integer({ min: 0, max: 9_000 }), rate: fc.constantFrom(0.25, 1, 1.5, 4) },
          maybe,
        ),
      })
      .map(({ action, command, more }) => ({ ...action, command, ...more })),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: of('sync_report'),
      participantId,
      componentId,
      driftMs: fc.integer({ min: -90, max: 90 }),
      rttMs: fc.constant(20),
    }),
  },
]

/** Of an agent that is often there. */
const agentId = fc.constantFrom('agent_room_1_2', 'agent_room_1_3', 'agent_room_1_m1', 'p0')
const ofResearchers = (participantId: fc.Arbitrary<string>): Weighted[] => [
  { weight: 2, arbitrary: fc.record({ type: of('advance'), by }) },
  { weight: 2, arbitrary: fc.record({ type: of('pause'), reason: fc.constant('r'), by }) },
  { weight: 3, arbitrary: fc.record({ type: of('resume'), by }) },
  {
    weight: 2,
    arbitrary: fc
      .record({ to: fc.option(participantId), by })
      .map(({ to, by }) => ({ type: 'announce', by, to, text: to === null ? 'to all' : whisperTo(to) })),
  },
  {
    weight: 1,
    arbitrary: fc.record({ type: of('remove'), participantId, outcome: fc.constant('TECHNICAL'), by }),
  },
  { weight: 1, arbitrary: fc.record({ type: of('prompt'), participantId: agentId, by }) },
]

const ofAgents: fc.WeightedArbitrary<AgentActs> = {
  weight: 14,
  arbitrary: fc.record({
    type: fc.constant('agent_acts' as const),
    pick: fc.nat(4),
    how: fc.constantFrom(...behaviours),
  }),
}

/** Rare, because nothing happens after it. */
const theEnd: Weighted = {
  weight: 1,
  arbitrary: fc.oneof(
    { weight: 9, arbitrary: fc.constant<RoomAction>({ type: 'tick' }) },
    { weight: 1, arbitrary: fc.record({ type: of('end'), reason: fc.constant('over'), by }) },
  ),
}

const ofTheNetwork = (participantId: fc.Arbitrary<string>): Weighted[] => [
  { weight: 4, arbitrary: fc.record({ type: of('connected'), participantId }) },
  { weight: 2, arbitrary: fc.record({ type: of('disconnected'), participantId }) },
  { weight: 3, arbitrary: fc.constant({ type: 'tick' }) },
  { weight: 1, arbitrary: fc.constant({ type: 'restored' }) },
  { weight: 1, arbitrary: fc.record({ type: of('withdrawn'), participantId }) },
]

/** Actions of people, researchers and the network in any order, including repeats and an unknown participant. */
export const randomActions = (people: number): fc.Arbitrary<TimedAction[]> => {
  const participantId = fc.oneof(
    { weight: 30, arbitrary: fc.integer({ min: 0, max: people - 1 }).map((index) => `p${index}`) },
    { weight: 1, arbitrary: fc.constant('p9') },
  )
  const action: fc.Arbitrary<RoomAction | AgentActs> = fc.oneof(
    ...ofParticipants(participantId),
    ...ofPlayers(participantId),
    ...ofResearchers(participantId),
    ...ofTheNetwork(participantId),
    ofAgents,
    theEnd,
  )
  return fc.array(fc.record({ afterMs: fc.integer({ min: 0, max: 4_000 }), action }), { maxLength: 60 })
}
