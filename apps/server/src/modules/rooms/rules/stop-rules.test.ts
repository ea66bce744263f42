import type { ExperimentDefinition } from '@atrium/contract'
import { describe, expect, test } from 'vitest'
import { playAgain } from '../test/play-again.ts'
import { component, group, playRoom, state } from '../test/played-room.ts'

type Block = NonNullable<ExperimentDefinition['blocks']>[number]

const play = state('play', {
  components: [component('move', 'text_input', { required: true })],
  end: { on: 'all_responded' },
  onEnd: { earned: '10 * round', isOver: 'response.move == "stop"' },
})
const game = (block: Partial<Block> = {}, more: Partial<ExperimentDefinition> = {}) =>
  group([play, state('told'), state('after')], {
    matching: { groupSize: 1 },
    variables: {
      isOver: { scope: 'participant', initial: false },
      earned: { scope: 'participant', initial: 0 },
    },
    blocks: [{ id: 'game', states: ['play', 'told'], rounds: 4, until: 'isOver', ...block }],
    ...more,
  })

function played(definition: Partial<ExperimentDefinition>, moves: string[]) {
  const room = playRoom(definition)
  for (const move of moves) {
    room.respond('p1', 'move', move)
    room.ready('p1')
  }
  return room
}

const roundsIn = (moves: string[], definition = game()) =>
  played(definition, moves)
    .path()
    .filter((id) => id === 'play').length

describe('a block that a rule ends', () => {
  test('[RM243] is over after the round in which its rule has become true, and not within it', () => {
    const room = playRoom(game())
    room.respond('p1', 'move', 'stop')
    expect(room.at()).toBe('told')
    room.ready('p1')
    expect(room.at()).toBe('after')
    expect(roundsIn(['go', 'stop'])).toBe(2)
  })

  test('[RM243] is over after its last round in any case', () => {
    const room = played(game(), ['go', 'go', 'go', 'go'])
    expect(room.at()).toBe('after')
    expect(roundsIn(['go', 'go', 'go', 'go'])).toBe(4)
  })

  test('[RM243] knows the round that was played', () => {
    expect(roundsIn(['go', 'go', 'go'], game({ until: 'round == 2' }))).toBe(2)
  })

  test('[RM243] ends for the room where everyone moves together', () => {
    const together = game({ until: 'count(responses.move, "stop") == 2' }, { matching: { groupSize: 2 } })
    const room = playRoom(together)
    for (const moves of [
      ['stop', 'go'],
      ['stop', 'stop'],
    ]) {
      for (const [index, id] of ['p1', 'p2'].entries()) room.respond(id, 'move', moves[index])
      for (const id of ['p1', 'p2']) room.ready(id)
    }
    expect(room.snapshot('p2').state?.id).toBe('after')
  })

  test('[RM243,RM200] pays one of the rounds that were played', () => {
    const payment = { currency: 'EUR', pick: { rounds: 2, of: 'earned' } }
    const room = played(game({}, { completion: { payment } }), ['go', 'stop'])
    room.ready('p1')
    const paid = room.records.find(({ type }) => type === 'payment')?.data
    expect(paid).toMatchObject({ amount: 30, picked: [{ round: 1 }, { round: 2 }] })
  })

  test('[RM243] ends in the same round when the log is played again', () => {
    const room = played(game(), ['go', 'stop'])
    expect(playAgain(room)).toEqual(room.room())
  })
})
