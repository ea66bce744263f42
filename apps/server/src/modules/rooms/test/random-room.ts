import type { ExperimentDefinition, State } from '@atrium/contract'
import fc from 'fast-check'
import type { RoomAction } from '../room-action.ts'

const components = fc.subarray(
  [
    { id: 'rate', type: 'slider' },
    { id: 'pick', type: 'multiple_choice', options: ['a', 'b'], correct: 'a' },
    { id: 'note', type: 'text_input', required: false },
    { id: 'talk', type: 'chat' },
    {
      id: 'quiz',
      type: 'instructions',
      questions: [{ id: 'q', text: '?', options: ['x', 'y'], correct: 'x' }],
      maxAttempts: 2,
    },
  ],
  { minLength: 0 },
)

const end: fc.Arbitrary<State['end']> = fc.oneof(
  fc.constant(undefined),
  fc.record({ on: fc.constant('button' as const) }),
  fc.record({ on: fc.constant('timed' as const), afterMs: fc.integer({ min: 1, max: 5_000 }) }),
  fc.record({ on: fc.constant('all_responded' as const), afterMs: fc.integer({ min: 1, max: 20_000 }) }),
  fc.record({ on: fc.constant('any_responded' as const), afterMs: fc.integer({ min: 1, max: 20_000 }) }),
  fc.record({
    on: fc.constant('condition' as const),
    when: fc.constantFrom('score > 2', 'count(responses.rate) > 0', 'ready > 0', 'visit > 4'),
    afterMs: fc.integer({ min: 1, max: 20_000 }),
  }),
)

/** Small definitions with every kind of ending, loops with a bound, rounds, roles and variables. */
export const randomDefinition = (people: number): fc.Arbitrary<ExperimentDefinition> =>
  fc
    .record({
      states: fc.array(fc.record({ components, end, role: fc.constantFrom(undefined, 'a', 'b') }), {
        minLength: 1,
        maxLength: 4,
      }),
      rounds: fc.integer({ min: 1, max: 3 }),
      loop: fc.boolean(),
      pacing: fc.constantFrom('room' as const, 'participant' as const),
      policy: fc.constantFrom(
        'wait' as const,
        'continue' as const,
        'replace_with_agent' as const,
        'end' as const,
      ),
      graceMs: fc.integer({ min: 0, max: 10_000 }),
    })
    .map(({ states, rounds, loop, pacing, policy, graceMs }) => ({
      name: 'random',
      states: states.map((state, index) => ({
        id: `s${index}`,
        components: state.components,
        ...(state.end ? { end: state.end } : {}),
        ...(state.role ? { roles: [state.role] } : {}),
        onEnd: { score: 'score + 1' },
        ...(loop && index === states.length - 1
          ? { next: [{ to: 's0', when: 'score < 6', atMost: 2 }] }
          : {}),
      })),
      roles: ['a', 'b'],
      blocks: [
        { id: 'all', states: states.map((_, index) => `s${index}`), order: 'random' as const, rounds },
      ],
      variables: {
        score: 0,
        own: { scope: 'participant' as const, initial: 0 },
        twice: { compute: 'score * 2' },
      },
      conditions: { values: ['x', 'y'] },
      pacing,
      matching: { groupSize: Math.max(1, people) },
      dropout: { policy, graceMs },
    }))

export interface Happening {
  afterMs: number
  action: RoomAction
}

const who = (people: number) => fc.integer({ min: 0, max: people - 1 }).map((index) => `p${index}`)
const actionId = fc.integer({ min: 0, max: 40 }).map((number) => `act${number}`)

/** What people and the network might do, in any order, repeats included. */
export const randomHappenings = (people: number): fc.Arbitrary<Happening[]> => {
  const participantId = who(people)
  const by = fc.constant('researcher')
  const action: fc.Arbitrary<RoomAction> = fc.oneof(
    { weight: 3, arbitrary: fc.record({ type: fc.constant('connected' as const), participantId }) },
    { weight: 2, arbitrary: fc.record({ type: fc.constant('disconnected' as const), participantId }) },
    {
      weight: 8,
      arbitrary: fc.record({
        type: fc.constant('submit_response' as const),
        participantId,
        actionId,
        componentId: fc.constantFrom('rate', 'pick', 'note', 'quiz', 'nothing'),
        value: fc.constantFrom<unknown>(
          0,
          50,
          101,
          'a',
          'b',
          'text',
          { answers: { q: 'x' } },
          { answers: { q: 'y' } },
          null,
        ),
      }),
    },
    { weight: 5, arbitrary: fc.record({ type: fc.constant('ready' as const), participantId, actionId }) },
    {
      weight: 2,
      arbitrary: fc.record({
        type: fc.constant('send_message' as const),
        participantId,
        actionId,
        text: fc.constantFrom('hi', ' '),
      }),
    },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('leave' as const), participantId, actionId }) },
    { weight: 3, arbitrary: fc.constant<RoomAction>({ type: 'tick' }) },
    { weight: 1, arbitrary: fc.constant<RoomAction>({ type: 'restored' }) },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('advance' as const), by }) },
    {
      weight: 1,
      arbitrary: fc.record({ type: fc.constant('pause' as const), reason: fc.constant('r'), by }),
    },
    { weight: 2, arbitrary: fc.record({ type: fc.constant('resume' as const), by }) },
    {
      weight: 1,
      arbitrary: fc.record({
        type: fc.constant('remove' as const),
        participantId,
        outcome: fc.constant('TECHNICAL'),
        by,
      }),
    },
  )
  return fc.array(fc.record({ afterMs: fc.integer({ min: 0, max: 4_000 }), action }), { maxLength: 60 })
}
