import { describe, expect, test } from 'vitest'
import { playAgain } from '../test/play-again.ts'
import { group, playRoom, state } from '../test/played-room.ts'

const own = { scope: 'participant' as const }
const rounds = 5
const definition = group(
  [
    state('play', {
      onEnter: { pot: 'drawInt(1, 1000)', lot: 'drawInt(1, 1000)' },
      onEnd: { order: 'shuffle([1, 2, 3, 4])' },
    }),
  ],
  {
    blocks: [{ id: 'rounds', states: ['play'], rounds }],
    variables: {
      pot: 0,
      lot: { ...own, initial: { expression: 'drawInt(1, 1000)' } },
      order: { initial: { expression: "sample(['a', 'b', 'c'], 2)" } },
      same: { ...own, initial: { expression: 'if(true, 7, 8)' } },
    },
  },
)

function played(seed: string) {
  const room = playRoom(definition, { seed })
  for (let round = 0; round < rounds; round += 1) for (const id of ['p1', 'p2']) room.ready(id)
  return room
}

type Room = ReturnType<typeof played>

const drawn = ({ records }: Room) =>
  records.flatMap(({ type, participantId, data }) =>
    type === 'variables_changed'
      ? (data.changes as { variable: string; cause: string; value: unknown }[])
          .filter(({ cause }) => cause === 'draw')
          .map(({ variable, value }) => ({
            who: data.scope === 'room' ? 'room' : participantId,
            variable,
            value,
          }))
      : [],
  )

describe('What is drawn', () => {
  test('[RM191,R63] is drawn for the room once and for each participant, anew in each visit, and recorded as drawn', () => {
    const draws = drawn(played('one'))
    const of = (who: string, variable: string) =>
      draws.filter((one) => one.who === who && one.variable === variable).map(({ value }) => value)
    expect(of('room', 'pot')).toHaveLength(rounds)
    expect(of('p1', 'lot')).toHaveLength(1 + rounds)
    expect(of('p2', 'lot')).toHaveLength(1 + rounds)
    expect(of('room', 'order')).toHaveLength(1 + rounds)
    expect(new Set([...of('room', 'pot'), ...of('p1', 'lot'), ...of('p2', 'lot')]).size).toBeGreaterThan(12)
    expect(of('p1', 'same')).toEqual([])
  })

  test('[RM191] depends on the seed of the room and on the place of the draw alone', () => {
    expect(drawn(played('one'))).toEqual(drawn(played('one')))
    expect(drawn(played('one'))).not.toEqual(drawn(played('two')))
  })

  test('[RM191] is the same when the log is read again', () => {
    const room = played('one')
    expect(playAgain(room)).toEqual(room.room())
  })
})
