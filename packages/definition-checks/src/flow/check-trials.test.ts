import { describe, expect, test } from 'vitest'
import { checkOnSaving } from '../check-on-saving.ts'

const words = { rows: [{ word: 'red', ink: 'red' }, { word: 'red', ink: 'blue' }, { word: 'blue' }] }
const question = { id: 'colour', type: 'multiple_choice', options: ['red', 'blue'] }

const study = (trials: object, more: object = {}, stroop: object = {}) => ({
  name: 'Study',
  tables: { words },
  states: [
    { id: 'intro', components: [] },
    { id: 'stroop', instructions: 'Say {{trial.word}}.', components: [question], ...stroop },
  ],
  blocks: [{ id: 'main', states: ['stroop'], trials: { table: 'words', ...trials } }],
  ...more,
})

const findingsOf = (definition: object, rows?: Parameters<typeof checkOnSaving>[1]) => {
  const checked = checkOnSaving(definition, rows)
  return 'issues' in checked ? checked.issues : []
}
const issue = (path: string, message: string) => [{ path, message: expect.stringContaining(message) }]

describe('trials', () => {
  test('[F75] what plays the rows of a table can be saved', () => {
    const given = {
      order: 'random',
      sample: 2,
      where: 'trial.word == "red"',
      until: 'trial.index >= 2 && response.colour == trial.ink',
    }
    expect(findingsOf(study(given))).toEqual([])
  })

  test('[F75] a table has rows of its own or an upload, and columns that expressions can name', () => {
    const withTable = (table: object) => findingsOf(study({}, { tables: { words: table } }))
    expect(withTable({})).toEqual(issue('/tables/words', 'needs ‘rows’, or the ‘tableId’'))
    expect(withTable({ ...words, tableId: 'tbl_1' })).toEqual(issue('/tables/words', 'keep one of them'))
    expect(withTable({ rows: [{ word: 'a', index: 1 }] })).toEqual(
      issue('/tables/words', 'cannot be called ‘index’'),
    )
    expect(withTable({ rows: [{ 'my word': 'a' }] })).toEqual(issue('/tables/words/rows/0/my word', ''))
    expect(withTable({ rows: [{ word: { a: 1 } }] })).toEqual(issue('/tables/words/rows/0/word', ''))
  })

  test('[F76] an unknown table or column is refused with the one that was meant', () => {
    expect(findingsOf(study({ table: 'wrods' }))).toContainEqual(
      issue('/blocks/0/trials/table', 'did you mean ‘words’?')[0],
    )
    expect(findingsOf(study({}, {}, { instructions: '{{trial.wrd}}' }))).toEqual(
      issue(
        '/states/1/instructions',
        '‘wrd’ is not a column of table ‘words’, so ‘trial.wrd’ does not exist; did you mean ‘word’?',
      ),
    )
    expect(findingsOf(study({}, {}, { onEnd: { x: 'trial.inc' } }))).toContainEqual(
      issue('/states/1/onEnd/x', 'did you mean ‘ink’?')[0],
    )
  })

  test('[F81] outside trials there is no row to read', () => {
    const definition = study(
      {},
      {
        states: [
          { id: 'intro', instructions: '{{trial.word}}', components: [] },
          { id: 'stroop', components: [question] },
        ],
      },
    )
    expect(findingsOf(definition)).toEqual(
      issue('/states/0/instructions', 'state ‘intro’ is in no block with ‘trials’'),
    )
  })

  test('[F79] rows are chosen by their columns alone', () => {
    expect(findingsOf(study({ where: 'response.colour == trial.ink' }))).toEqual(
      issue('/blocks/0/trials/where', 'can read only columns, as in trial.word'),
    )
    expect(findingsOf(study({ where: 'trial.wodr == 1' }))).toEqual(
      issue('/blocks/0/trials/where', 'did you mean ‘word’?'),
    )
    expect(findingsOf(study({ where: 'trial.word == "green"' }))).toEqual(
      issue('/blocks/0/trials/where', 'no row of table ‘words’ fulfils this condition'),
    )
  })

  test('[F77,F78] nobody can draw more rows than there are, in this block and those before it', () => {
    expect(findingsOf(study({ sample: 4 }))).toEqual(
      issue('/blocks/0/trials/sample', 'cannot draw 4 rows: table ‘words’ has 3 rows'),
    )
    expect(findingsOf(study({ sample: 3, where: 'trial.word == "red"' }))).toEqual(
      issue('/blocks/0/trials/sample', '2 rows of table ‘words’ fulfil ‘where’'),
    )
    const two = (second: object) =>
      findingsOf(
        study(
          {},
          {
            blocks: [
              { id: 'practice', states: ['intro'], trials: { table: 'words', sample: 2 } },
              { id: 'main', states: ['stroop'], trials: { table: 'words', ...second } },
            ],
          },
        ),
      )
    expect(two({})).toEqual([])
    expect(two({ sample: 2 })).toEqual(
      issue('/blocks/1/trials/sample', 'earlier blocks may have drawn 2 of them; draw fewer, or set ‘reuse’'),
    )
    expect(two({ sample: 3, reuse: true })).toEqual([])
    expect(two({ where: 'trial.word == "red"' })).toEqual(issue('/blocks/1/trials', 'no row may be left'))
  })

  test('[F80] the stop rule is an expression of its block', () => {
    expect(findingsOf(study({ until: 'trial.ikn == 1' }))).toEqual(
      issue('/blocks/0/trials/until', 'did you mean ‘ink’?'),
    )
    expect(findingsOf(study({ until: 'draw([1])' }))).toEqual(
      issue('/blocks/0/trials/until', 'is drawn only'),
    )
  })

  test('[F82,F83] rows count as steps, and only some 500 of them fit in a Latin square', () => {
    const rows = Array.from({ length: 10_000 }, (_, n) => ({ n }))
    const large = (block: object) =>
      findingsOf({
        name: 'Study',
        tables: { numbers: { rows } },
        states: [{ id: 'one', components: [] }],
        blocks: [{ id: 'main', states: ['one'], trials: { table: 'numbers' }, ...block }],
      })
    expect(large({ rounds: 10 })).toEqual([])
    expect(large({ rounds: 11 })).toEqual(issue('/blocks', 'the experiment has 110000 steps'))
    expect(large({ trials: { table: 'numbers', order: 'latin_square' } })).toEqual(
      issue('/blocks/0/trials/order', 'a Latin square can have up to 500 rows'),
    )
  })

  test('[F75] an uploaded table has the rows of the upload; one that is unknown is refused', () => {
    const tables = { words: { tableId: 'tbl_1' } }
    expect(findingsOf(study({}, { tables }))).toContainEqual(
      issue('/tables/words/tableId', 'there is no table ‘tbl_1’ that you may use')[0],
    )
    expect(findingsOf(study({ sample: 3 }, { tables }), new Map([['tbl_1', words.rows]]))).toEqual([])
  })

  test('[F75] a variable that is called trial keeps its meaning', () => {
    const definition = {
      name: 'Study',
      variables: { trial: { initial: { a: 1 } } },
      states: [{ id: 'one', instructions: '{{trial.a}}', components: [] }],
    }
    expect(findingsOf(definition)).toEqual([])
  })
})
