import { expect, it } from 'vitest'
import { group, playRoom, slider, state } from '../test/played-room.ts'

const ask = {
  components: [{ ...slider, saveTo: 'given' }],
  end: { on: 'all_responded' as const, afterMs: 60_000 },
}
const given = { scope: 'participant', initial: 0 }
const valuesOf = (room: ReturnType<typeof playRoom>, name: string) =>
  room.room().seats.map(({ variables }) => variables[name])

it('[RM192] expressions read what the others have, their roles and aliases included', () => {
  const room = playRoom(
    group(
      [
        state('ask', { ...ask, onEnd: { received: 'sum(others.given)', who: 'others.alias' } }),
        state('after'),
      ],
      {
        variables: {
          given,
          received: { scope: 'participant', initial: 0 },
          who: { scope: 'participant', initial: null },
          doubled: { scope: 'participant', compute: 'given * 2' },
          ahead: { scope: 'participant', compute: 'self.given > max(others.doubled)' },
        },
      },
    ),
  )
  room.respond('p1', 'rate', 7)
  room.respond('p2', 'rate', 2)
  expect(valuesOf(room, 'received')).toEqual([2, 7])
  expect(valuesOf(room, 'who')).toEqual([['P2'], ['P1']])
  expect([room.snapshot('p1').self.variables, room.snapshot('p2').self.variables]).toMatchObject([
    { ahead: true },
    { ahead: false },
  ])
})

it('[RM192] what everyone takes from the others is found for all before it is set for any', () => {
  const room = playRoom(
    group([state('ask', { ...ask, onEnd: { given: 'sum(others.given)' } }), state('after')], {
      variables: { given },
    }),
  )
  room.respond('p1', 'rate', 7)
  room.respond('p2', 'rate', 2)
  expect(valuesOf(room, 'given')).toEqual([2, 7])
})

it('[RM192] elapsedMs is the time since the state was entered', () => {
  const room = playRoom(
    group([state('ask', { ...ask, onEnd: { took: 'elapsedMs' } }), state('after')], {
      variables: { given, took: { scope: 'participant', initial: null } },
    }),
  )
  room.pass(1234)
  room.respond('p1', 'rate', 7)
  room.respond('p2', 'rate', 2)
  expect(valuesOf(room, 'took')).toEqual([1234, 1234])
})
