import { type ExperimentDefinition, exportedTables, snakeName } from '@atrium/contract'
import { expect, test } from 'vitest'
import { createCodebook } from '../../codebook/codebook.ts'
import { loadedTables, quoted } from './loaded-tables.ts'
import { plotFacts } from './plot-facts.ts'
import { pythonScript } from './python.ts'
import { rScript } from './r.ts'

const study: ExperimentDefinition = {
  name: 'Études',
  roles: ['buyer', 'sellér'],
  states: [{ id: 's', components: [{ id: 'été', type: 'number_input' }] }],
}
const codebook = createCodebook()
codebook.add(1, study)
const tables = loadedTables(codebook.rows(exportedTables), exportedTables, (table) => `data/${table}.csv`)

test.each([
  ['R', rScript(tables, plotFacts()), '='],
  ['Python', pythonScript(tables, plotFacts()), ':'],
])('[D46] the script in %s names every table, and every column with its type', (_, script, is) => {
  const rows = codebook.rows(exportedTables)
  expect(rows.length).toBeGreaterThan(100)
  for (const table of exportedTables) expect(script).toContain(`"data/${table}.csv"`)
  for (const { variable, type } of rows) {
    const named =
      is === '=' ? `${quoted(String(variable))} = "${type}"` : `${quoted(String(variable))}: ("${type}"`
    expect(script).toContain(named)
  }
  expect(script).toContain('"buyer", "sell\\u00e9r"')
  // Whatever encoding a machine takes it for.
  expect(/^[\x20-\x7e\n]*$/.test(script)).toBe(true)
  expect(script).toContain(snakeName(plotFacts().responseTime))
})

test('[D46] texts are written so that both languages read what they are', () => {
  expect(quoted('a"b\\c\n🦉')).toBe('"a\\"b\\\\c\\u000a\\U0001f989"')
})
