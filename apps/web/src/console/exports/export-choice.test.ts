import { expect, test } from 'vitest'
import { endingOf, exportFileName, exportQueryOf, firstChoice } from './export-choice.ts'

test('a table is asked for with the filters that were set', () => {
  expect(exportQueryOf(firstChoice)).toEqual({ table: 'participants', format: 'csv' })
  expect(exportQueryOf({ ...firstChoice, from: '2026-03-01', revision: '2', status: 'completed' })).toEqual({
    table: 'participants',
    format: 'csv',
    from: '2026-03-01',
    revision: '2',
    status: 'completed',
  })
})

test('an archive has all tables, whatever format was chosen for one of them', () => {
  const archive = { ...firstChoice, table: 'all', format: 'parquet' } as const
  expect(exportQueryOf(archive)).toEqual({ format: 'psych-ds' })
  expect(endingOf(archive)).toBe('zip')
})

test('what only some files have is asked for with these only', () => {
  const ticked = { ...firstChoice, forExcel: true, answerKeys: true }
  expect(exportQueryOf(ticked)).toEqual({ table: 'participants', format: 'csv', bom: 'true' })
  expect(exportQueryOf({ ...ticked, format: 'parquet' })).toEqual({
    table: 'participants',
    format: 'parquet',
  })
  expect(exportQueryOf({ ...ticked, table: 'all' })).toEqual({
    format: 'psych-ds',
    bom: 'true',
    answerKeys: 'true',
  })
})

test('filters without a meaning for a table are left out', () => {
  const filters = { from: '2026-03-01', to: '2026-04-01', revision: '1', status: 'open' } as const
  expect(exportQueryOf({ ...firstChoice, ...filters, table: 'codebook' })).toEqual({
    table: 'codebook',
    format: 'csv',
    revision: '1',
  })
  expect(exportQueryOf({ ...firstChoice, ...filters, table: 'agent_turns' })).not.toHaveProperty('status')
})

test.each([
  ['Public goods', 'public-goods-2026-08-03.jsonl'],
  ['../Étude #1: “prix”', 'e-tude-1-prix-2026-08-03.jsonl'],
  ['実験', 'experiment-2026-08-03.jsonl'],
])('%s becomes %s', (name, file) => {
  expect(exportFileName({ name, ending: 'jsonl' }, new Date('2026-08-03T10:00:00Z'))).toBe(file)
})
