import { createDatabase } from './postgres.ts'

/** Where the global set-up leaves the address of the one PostgreSQL of the whole run; workers inherit it. */
export const sharedPostgresVariable = 'ATRIUM_TEST_POSTGRES_URL'

export function sharedPostgresUrl(): string | undefined {
  return process.env[sharedPostgresVariable]
}

/** The address of a fresh, empty database on the run's shared PostgreSQL. */
export async function createTestDatabase(): Promise<string> {
  const url = sharedPostgresUrl()
  if (url === undefined) throw new Error('the shared PostgreSQL runs only under Vitest; use startPostgres()')
  return createDatabase(url)
}
