import { describe, expect, it } from 'vitest'
import { group, playRoom, slider, state } from '../test/played-room.ts'

const ask = {
  components: [{ ...slider, saveTo: 'given' }],
  end: { on: 'all_responded' as const, afterMs: 100 },
}
const own = { scope: 'participant' as const, initial: 0 }

type Played = ReturnType<typeof playRoom>

/** Every change that is recorded, as the room went through it. */
const history = (room: Played) =>
  room.records.flatMap(({ type, participantId, stateId, round, visit, data }) =>
    type === 'variables_changed'
      ? (data.changes as Record<string, unknown>[]).map((change) => ({
          who: data.scope === 'room' ? 'room' : participantId,
          stateId,
          round,
          visit,
          ...change,
        }))
      : [],
  )

/** The values that result from the recorded changes. */
function present(room: Played): Record<string, Record<string, unknown>> {
  const variables: Record<string, Record<string, unknown>> = {}
  for (const { who, ...change } of history(room)) {
    const { variable, value } = change as { variable?: string; value?: unknown }
    variables[who] = { ...variables[who], [String(variable)]: value }
  }
  return variables
}

const game = () =>
  playRoom(
    group(
      [
        state('play', {
          ...ask,
          onEnter: { given: '0' },
          onEnd: { pot: 'sum(all)', points: 'points + 20 - given + pot' },
        }),
        state('after', { onEnter: { given: '0' } }),
      ],
      {
        blocks: [{ id: 'rounds', states: ['play', 'after'], rounds: 2 }],
        variables: {
          pot: 0,
          all: { compute: 'responses.rate', secret: true },
          given: own,
          points: own,
          left: { scope: 'participant', compute: '20 - given' },
        },
      },
    ),
  )

describe('The record of variables', () => {
  it('[RM85] begins with the initial values, and says what changed, where and why', () => {
    const room = game()
    room.respond('p1', 'rate', 7)
    room.respond('p2', 'rate', 9)
    const at = (stateId: string, visit: number) => ({ stateId, round: 1, visit })
    expect(history(room)).toEqual([
      ...[
        { who: 'room', stateId: null, round: null, visit: null, variable: 'pot', cause: 'initial', value: 0 },
      ],
      ...['p1', 'p2'].flatMap((who) =>
        ['given', 'points'].map((variable) => ({
          who,
          stateId: null,
          round: null,
          visit: null,
          variable,
          cause: 'initial',
          value: 0,
        })),
      ),
      { who: 'room', ...at('play', 1), variable: 'all', cause: 'compute', value: [] },
      { who: 'p1', ...at('play', 1), variable: 'left', cause: 'compute', value: 20 },
      { who: 'p2', ...at('play', 1), variable: 'left', cause: 'compute', value: 20 },
      { who: 'p1', ...at('play', 1), variable: 'given', cause: 'saveTo', value: 7 },
      { who: 'p1', ...at('play', 1), variable: 'left', cause: 'compute', value: 13 },
      { who: 'room', ...at('play', 1), variable: 'all', cause: 'compute', value: [7] },
      { who: 'p2', ...at('play', 1), variable: 'given', cause: 'saveTo', value: 9 },
      // In one row with what the same action saved.
      { who: 'p2', ...at('play', 1), variable: 'points', cause: 'onEnd', value: 27 },
      { who: 'room', ...at('play', 1), variable: 'pot', cause: 'onEnd', value: 16 },
      { who: 'p1', ...at('play', 1), variable: 'points', cause: 'onEnd', value: 29 },
      { who: 'p1', ...at('after', 2), variable: 'given', cause: 'onEnter', value: 0 },
      { who: 'p1', ...at('after', 2), variable: 'left', cause: 'compute', value: 20 },
      { who: 'p2', ...at('after', 2), variable: 'given', cause: 'onEnter', value: 0 },
      { who: 'room', ...at('after', 2), variable: 'all', cause: 'compute', value: [7, 9] },
    ])
  })

  it('[RM85] adds up to what the room holds, and writing an equal value is not a change', () => {
    const room = game()
    for (const value of [3, 8]) {
      for (const who of ['p1', 'p2']) room.respond(who, 'rate', value)
      for (const who of ['p1', 'p2']) room.ready(who)
    }
    expect(room.room().status.kind).toBe('ended')
    const recorded = present(room)
    expect(recorded.room).toMatchObject(room.room().variables)
    for (const seat of room.room().seats) expect(recorded[seat.participantId]).toMatchObject(seat.variables)
    const changes = history(room)
    expect(changes.filter((one) => 'cause' in one && one.cause === 'onEnter')).toHaveLength(4)
  })

  it('[RM86] a change of a room variable is recorded once, in the record of the participant who caused it', () => {
    const room = playRoom(
      group([state('ask', ask), state('after')], { variables: { given: 0, many: { scope: 'room' } } }),
    )
    room.respond('p2', 'rate', 7)
    room.respond('p1', 'rate', 8)
    const rows = room.records.filter(({ type, visit }) => type === 'variables_changed' && visit !== null)
    expect(rows.map(({ participantId, data }) => [participantId, data])).toEqual([
      ['p2', { scope: 'room', changes: [{ variable: 'given', cause: 'saveTo', value: 7 }] }],
      ['p1', { scope: 'room', changes: [{ variable: 'given', cause: 'saveTo', value: 8 }] }],
    ])
  })

  it('[RM87] a long value is not stored twice, and what one action writes is bounded', () => {
    const text = 'x'.repeat(9_000)
    const texts = Array.from({ length: 300 }, (_, index) => `t${index}`)
    const room = playRoom({
      states: [
        state('write', {
          components: [{ id: 'essay', type: 'text_input', kind: 'paragraph', saveTo: 'essay' } as never],
          end: { on: 'all_responded' },
          onEnd: Object.fromEntries(texts.map((name) => [name, "essay + 'x'"])),
        }),
        state('after'),
      ],
      variables: Object.fromEntries([['essay', null], ...texts.map((name) => [name, 1])]),
    })
    room.respond('p1', 'essay', text)
    const long = history(room).filter((one) => 'length' in one)
    expect(long).toHaveLength(301)
    expect(long[0]).toMatchObject({ variable: 'essay', cause: 'saveTo', length: 9_002 })
    const written = room.records.reduce((sum, { data }) => sum + JSON.stringify(data).length, 0)
    expect(written).toBeLessThan(100_000)
  })

  it('[RM87] beyond the bound, changes are only counted', () => {
    const names = Array.from({ length: 500 }, (_, index) => `v${index}`)
    const room = playRoom({
      states: [
        state('write', {
          components: [{ id: 'essay', type: 'text_input', kind: 'paragraph', saveTo: 'essay' } as never],
          end: { on: 'all_responded' },
          onEnd: Object.fromEntries(names.map((name) => [name, 'essay'])),
        }),
        state('after'),
      ],
      variables: Object.fromEntries([['essay', null], ...names.map((name) => [name, 1])]),
    })
    room.respond('p1', 'essay', 'x'.repeat(2_000))
    const row = room.records.findLast(({ data }) => 'omitted' in data)
    const recorded = Array.isArray(row?.data.changes) ? row.data.changes.length : 0
    expect(recorded).toBeGreaterThan(50)
    expect(row?.data.omitted).toBe(501 - recorded)
    expect(room.room().variables.v499).toHaveLength(2_000)
  })
})

describe('The record of conditions and roles', () => {
  it('[RM88] a condition and a role are recorded where the definition has any', () => {
    const room = playRoom(
      group([state('talk')], { roles: ['buyer', 'seller'], conditions: { values: ['a', 'b'], seed: 's' } }),
      { roles: ['buyer', 'seller'], ordinal: 1 },
    )
    const { condition } = room.room()
    for (const [who, role] of [
      ['p1', 'buyer'],
      ['p2', 'seller'],
    ] as const) {
      expect(room.recordsOf(who, 'role_assigned').map(({ data }) => data)).toEqual([{ role }])
      expect(room.recordsOf(who, 'condition_assigned').map(({ data }) => data)).toEqual([
        { condition, seed: 's', ordinal: 1 },
      ])
    }
    const plain = playRoom({ states: [state('talk')] })
    expect(plain.records.map(({ type }) => type)).toEqual(['state_transition', 'connected'])
  })

  it('[RM89] every row has the round and the visit, and neither when no state is open', () => {
    const room = playRoom({
      states: [state('first'), state('second')],
      blocks: [{ id: 'twice', states: ['second'], rounds: 2 }],
    })
    for (let step = 0; step < 3; step++) room.ready('p1')
    expect(room.records.map(({ type, round, visit }) => [type, round, visit])).toEqual([
      ['state_transition', null, 1],
      ['connected', null, 1],
      ['ready', null, 1],
      ['state_transition', 1, 2],
      ['ready', 1, 2],
      ['state_transition', 2, 3],
      ['ready', 2, 3],
      ['finished', null, null],
    ])
  })
})

describe('Payoffs', () => {
  const earning = (more: object = {}) =>
    playRoom(
      group(
        [
          state('play', { ...ask, onEnd: { points: 'given * 2' } }),
          state('show', { components: [{ id: 'points', type: 'payoff' }] }),
        ],
        {
          variables: { given: own, points: own, bonus: { scope: 'participant', compute: 'points + 1' } },
          ...more,
        },
      ),
    )
  const payoffs = (room: Played, who: string) => room.recordsOf(who, 'payoff').map(({ data }) => data)

  it('[RM90] what a payoff component shows is recorded when a participant’s part ends, whatever the outcome', () => {
    const room = earning()
    room.respond('p1', 'rate', 4)
    room.respond('p2', 'rate', 5)
    expect([payoffs(room, 'p1'), payoffs(room, 'p2')]).toEqual([[], []])
    room.leave('p2')
    expect(payoffs(room, 'p2')).toEqual([{ variable: 'points', value: 10 }])
    room.ready('p1')
    expect(payoffs(room, 'p1')).toEqual([{ variable: 'points', value: 8 }])
    expect(room.records.at(-1)?.type).toBe('finished')
  })

  it('[RM90] or the variable that completion names, even a computed one', () => {
    const room = earning({ completion: { payoff: 'bonus' } })
    for (const who of ['p1', 'p2']) room.respond(who, 'rate', 4)
    for (const who of ['p1', 'p2']) room.ready(who)
    expect(payoffs(room, 'p1')).toEqual([{ variable: 'bonus', value: 9 }])
  })

  it('[RM90] a participant who was dropped and never came back gets theirs when the room ends', () => {
    const room = earning({ dropout: { policy: 'continue', graceMs: 1_000 } })
    for (const who of ['p1', 'p2']) room.respond(who, 'rate', 4)
    room.disconnect('p2')
    room.pass(1_000)
    expect(payoffs(room, 'p2')).toEqual([])
    room.dispatch({ type: 'end', reason: 'late', by: 'me' })
    expect(payoffs(room, 'p2')).toEqual([{ variable: 'points', value: 8 }])
    expect(room.outcomes()).toEqual(['TECHNICAL', 'ABANDONED'])
  })
})
