import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteQueryCompiler,
} from 'kysely'
import { expect, test } from 'vitest'
import { migrationsFor } from './migrations.ts'

const dialects = {
  sqlite: { adapter: SqliteAdapter, compiler: SqliteQueryCompiler },
  postgres: { adapter: PostgresAdapter, compiler: PostgresQueryCompiler },
}

/** Records what it is sent. The first query for rows gets one row, so that a loop over rows runs once. */
class RecordingDriver extends DummyDriver {
  readonly sent: CompiledQuery[] = []

  override async acquireConnection() {
    const { sent } = this
    return {
      async executeQuery<Row>(query: CompiledQuery) {
        const isFirstSelect = /^select/.test(query.sql) && !sent.some(({ sql }) => /^select/.test(sql))
        sent.push(query)
        return { rows: (isFirstSelect ? [{ session_id: 'sess_1' }] : []) as Row[] }
      },
      async *streamQuery() {},
    }
  }
}

async function hashOf(engine: keyof typeof dialects, name: string): Promise<string> {
  const { adapter, compiler } = dialects[engine]
  const driver = new RecordingDriver()
  const db = new Kysely<never>({
    dialect: {
      createAdapter: () => new adapter(),
      createDriver: () => driver,
      createIntrospector: () => {
        throw new Error('a migration does not inspect the database')
      },
      createQueryCompiler: () => new compiler(),
    },
  })
  await migrationsFor(engine)[name]?.up(db)
  const statements = driver.sent.map(({ sql, parameters }) => `${sql} ${JSON.stringify(parameters)}\n`)
  return hash('sha256', statements.join('')).slice(0, 16)
}

/** Hashes of the statements that each migration sends to SQLite and to PostgreSQL. */
const published: Record<string, [sqlite: string, postgres: string]> = {
  '0001_ground_floor': ['b5ac7c4937f2d88e', 'b5ac7c4937f2d88e'],
  '0002_room_engine': ['80be92fab8199288', '80be92fab8199288'],
  '0003_agent_seats': ['fde4f26e3779a776', 'fde4f26e3779a776'],
  '0004_stream_numbers': ['dace4e9f1feba5ce', '5e979c47f1dcc416'],
  '0005_room_listing': ['e4cac767cfe10283', 'e4cac767cfe10283'],
  '0006_write_checks': ['d9a559aeb053ccc9', 'd9a559aeb053ccc9'],
  '0007_session_pseudonyms': ['3d273862c0661185', '18c81b3e7c9c7c04'],
  '0008_ownership': ['79fd34c934263763', '79fd34c934263763'],
  '0009_consent': ['b93799311ae8e4ba', 'b93799311ae8e4ba'],
  '0010_outcomes': ['d0eba50363770fd6', 'd0eba50363770fd6'],
  '0011_resting_rooms': ['17100e2116d8969e', '17100e2116d8969e'],
  '0012_room_record': ['d07aaab521c57567', '4c05b707c0c5dd15'],
  '0013_first_answers': ['08e9f7831f6cec30', '08e9f7831f6cec30'],
  '0014_hear': ['40e4064d86f94b70', '40e4064d86f94b70'],
  '0015_videos': ['d123e08e17bd4c53', 'd123e08e17bd4c53'],
  '0016_agent_credentials': ['9146d4378b1022a8', '9146d4378b1022a8'],
  '0017_agent_turns': ['e93aeb899532b73b', 'e93aeb899532b73b'],
  '0018_pilots': ['df1186c4e137beb2', 'df1186c4e137beb2'],
  '0019_figures': ['fd42c10fbca4d8da', 'acca5db4abe45537'],
  '0020_api_keys': ['0f02bf55aa08c1df', '0f02bf55aa08c1df'],
  '0021_privacy': ['0078520e3e370cb5', 'be823a6cc571a5eb'],
  '0023_prolific': ['c5fe08d360f0a106', 'c5fe08d360f0a106'],
  '0024_tallies': ['2e3857076abf56d7', '2e3857076abf56d7'],
  '0025_drafts': ['8c1c02f3bd98797a', '8c1c02f3bd98797a'],
  '0026_tries': ['dc206e11c18b0c33', 'dc206e11c18b0c33'],
  '0027_researchers': ['4815d737b9fb4a7d', '4815d737b9fb4a7d'],
  '0028_stored_bytes': ['9c6147e931cc15b4', '9c6147e931cc15b4'],
  '0029_assignments': ['b9dff53e77bedbd7', 'b9dff53e77bedbd7'],
  '0030_attrition': ['2fdc60f2677fcb8b', '2fdc60f2677fcb8b'],
  '0031_times': ['62780b48a2f269da', '62780b48a2f269da'],
  '0032_agent_call_origins': ['7cb4f2bb07829f85', '7cb4f2bb07829f85'],
  '0034_forgetting': ['194f9c801b59f36a', '194f9c801b59f36a'],
  '0035_publishing': ['aac6b95a916fdf49', 'aac6b95a916fdf49'],
  '0036_stale_cells': ['bfa232ae2ee4ae6f', 'fbcae3a2eb15acbd'],
  '0037_stale_replays': ['d0ca14bae5cc8d6d', 'cddf88a9ab945865'],
  '0038_media_files': ['6afb5e379644d386', '6afb5e379644d386'],
  '0039_own_conditions': ['c6db2af4a2608df1', 'c6db2af4a2608df1'],
  '0040_trial_tables': ['ab108aa672ccde0b', 'ab108aa672ccde0b'],
  '0048_matches': ['d91d1222a335b944', 'd91d1222a335b944'],
  '0049_stages': ['a2a316e25dce3caa', 'a2a316e25dce3caa'],
}

test('a published migration is never edited: the next change is a new migration', async () => {
  const found: typeof published = {}
  for (const name of Object.keys(migrationsFor('sqlite')))
    found[name] = [await hashOf('sqlite', name), await hashOf('postgres', name)]
  expect(found).toEqual(published)
})

test('each migration stands in a file of its own name, which imports nothing of ours', async () => {
  const files = readdirSync(import.meta.dirname).filter((file) => /^\d{4}-[^.]+\.ts$/.test(file))
  expect(files.map((file) => file.slice(0, -'.ts'.length).replaceAll('-', '_')).sort()).toEqual(
    Object.keys(published),
  )
  for (const file of files)
    expect(readFileSync(join(import.meta.dirname, file), 'utf8')).not.toMatch(/from '(\.|@atrium)/)
})
