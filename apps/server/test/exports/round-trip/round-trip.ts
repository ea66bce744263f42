import { describeInOneMode } from '@atrium/testkit'
import { test } from 'vitest'
import type { CsvReader } from './csv-readers.ts'
import { expectAnswers, expectPublicGoodsPayoffs, expectVariables } from './expect-answers.ts'
import { expectDatabase } from './expect-database.ts'
import { simulateExample } from './simulated-study.ts'
import { readTables } from './typed-rows.ts'

/** Room for everyone: the limits of an instance are not what is tested here. */
const spacious = { MAX_ROOMS_PER_POD: '1000', MAX_PARTICIPANTS_PER_POD: '1000' }

/** Bots play examples; what every reader finds in every file must be what they did, and what is stored. */
export function describeRoundTrips(
  examples: readonly string[],
  readers: readonly CsvReader[],
  participants: number,
): void {
  describeInOneMode(
    `every table and format, read by DuckDB, ${readers.map(({ name }) => name).join(', ')}`,
    (world) => {
      test.each(examples)('[R47,I7] %s comes back cell by cell', async (example) => {
        const study = await simulateExample(world(), example, participants)
        const { experimentId, token } = study
        const tables = await readTables({ http: world().any().http, token, experimentId }, readers)
        await expectDatabase(world(), experimentId, tables)
        expectAnswers(tables, study)
        expectVariables(tables, study)
        if (example.startsWith('public-goods')) expectPublicGoodsPayoffs(tables, study)
      })
    },
    { env: spacious, servers: 1 },
  )
}
