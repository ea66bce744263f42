import type { ExperimentDefinition } from '@atrium/contract'
import { describe, expect, test } from 'vitest'
import { playAgain } from '../test/play-again.ts'
import { component, group, playRoom, state } from '../test/played-room.ts'

type Trials = NonNullable<NonNullable<ExperimentDefinition['blocks']>[number]['trials']>

const rows = [
  { word: 'red', ink: 'blue', key: 'b' },
  { word: '*blue* [a](b)', ink: 'blue', key: 'b' },
  { word: 'green', ink: 'red', key: 'r' },
  { word: 'blue', ink: 'red' },
]
const own = { scope: 'participant' as const, initial: 0 }
const answer = component('key', 'text_input', { required: true })

const study = (trials: Partial<Trials> = {}, more: Partial<ExperimentDefinition> = {}) =>
  group(
    [
      state('show', { instructions: 'Trial {{trial.index}}: {{trial.word}}', end: { on: 'button' } }),
      state('ask', {
        components: [answer],
        end: { on: 'all_responded' },
        onEnd: { right: 'right + if(response.key == trial.key, 1, 0)', last: 'trial.index' },
      }),
      state('after', { name: 'After {{right}}' }),
    ],
    {
      matching: { groupSize: 1 },
      variables: { right: own, last: own },
      tables: { words: { rows } },
      blocks: [{ id: 'main', states: ['show', 'ask'], trials: { table: 'words', ...trials } }],
      ...more,
    },
  )

/** Answers every trial with a key, until the block is over. */
function playTrials(definition: Partial<ExperimentDefinition>, keys: string[], seed = 'seed') {
  const room = playRoom(definition, { seed })
  for (const key of keys) {
    room.ready('p1')
    room.respond('p1', 'key', key)
  }
  return room
}
type Room = ReturnType<typeof playTrials>

const playedRows = ({ records }: Room) =>
  records.flatMap(({ type, stateId, data }) =>
    type === 'state_transition' && stateId === 'ask' ? [(data.trial as { row: number }).row] : [],
  )

describe('Trials in a room', () => {
  test('[RM210] the room knows the numbers of its rows, and never the rows', () => {
    const many = Array.from({ length: 300 }, (_, n) => ({ word: `a long sentence, number ${n}`, key: 'x' }))
    const room = playTrials(study({ order: 'random' }, { tables: { words: { rows: many } } }), [])
    expect(room.room().seats[0]?.flow?.steps).toHaveLength(601)
    expect(JSON.stringify(room.room())).not.toContain('sentence')
  })

  test('[RM213] texts and expressions read the row that is played, as it is written in the table', () => {
    const room = playRoom(study())
    expect(room.snapshot('p1').state?.instructions).toBe('Trial 1: red')
    room.ready('p1')
    room.respond('p1', 'key', 'b')
    // No Markdown: a cell is no text of the definition.
    expect(room.snapshot('p1').state?.instructions).toBe('Trial 2: \\*blue\\* \\[a\\]\\(b\\)')
    expect(room.room().seats[0]?.variables).toEqual({ right: 1, last: 1 })
    room.ready('p1')
    room.respond('p1', 'key', 'x')
    expect(room.room().seats[0]?.variables).toEqual({ right: 1, last: 2 })
  })

  test('[RM211] the block is over as soon as its stop rule is true, and not before its row is', () => {
    const stopped = study({ until: 'trial.index >= 2 && right >= 2' })
    expect(playedRows(playTrials(stopped, ['b', 'b', 'r', '-']))).toEqual([1, 2])
    expect(playTrials(stopped, ['b', 'b']).snapshot('p1').state).toMatchObject({
      id: 'after',
      name: 'After 2',
    })
    expect(playedRows(playTrials(stopped, ['x', 'b', 'r', '-']))).toEqual([1, 2, 3])
    // The rule sees the row that was played: the last one has no key.
    expect(playedRows(playTrials(study({ until: 'trial.key == null' }), ['x', 'x', 'x', 'x']))).toHaveLength(
      4,
    )
  })

  test('[RM211] the stop rule of a room that moves together is about the room', () => {
    const definition = study({ until: 'count(responses.key, "stop") == 2' }, { matching: { groupSize: 2 } })
    const room = playRoom(definition)
    for (const keys of [
      ['stop', 'go'],
      ['stop', 'stop'],
    ])
      for (const act of [room.ready, (id: string) => room.respond(id, 'key', keys[id === 'p1' ? 0 : 1])])
        for (const id of ['p1', 'p2']) act(id)
    expect(room.snapshot('p2').state?.id).toBe('after')
  })

  test('[RM212] records say which row of which block they are about', () => {
    const { records } = playTrials(study({ where: 'trial.ink == "red"' }), ['r'])
    const trial = { block: 'main', index: 1, row: 3 }
    const of = (type: string) => records.filter((one) => one.type === type).map(({ data }) => data.trial)
    expect(of('component_response')).toEqual([trial])
    expect(of('state_transition').slice(0, 3)).toEqual([trial, trial, { block: 'main', index: 2, row: 4 }])
  })

  test('[RM212] responses belong to their visit, however often the component is asked', () => {
    const { records } = playTrials(study(), ['a', 'b', 'c', 'd'])
    const answers = records.filter(({ type }) => type === 'component_response')
    expect(answers.map(({ visit, round, data }) => [visit, round, data.value])).toEqual([
      [2, 1, 'a'],
      [4, 1, 'b'],
      [6, 1, 'c'],
      [8, 1, 'd'],
    ])
  })

  test('[RM210] the same seed plays the same rows, and so does the log when it is read again', () => {
    const definition = study({ order: 'random', sample: 3 })
    const keys = ['a', 'b', 'c']
    expect(playedRows(playTrials(definition, keys))).toEqual(playedRows(playTrials(definition, keys)))
    const orders = ['1', '2', '3', '4', '5'].map((seed) =>
      playedRows(playTrials(definition, keys, seed)).join(),
    )
    expect(new Set(orders).size).toBeGreaterThan(1)
    const room = playTrials(definition, keys)
    expect(playAgain(room)).toEqual(room.room())
  })
})
