import type { Row } from '../../ports/transfer.ts'
import { adoptSecret, findSecret, type SecretName, secretNamesInDatabase } from '../disk/kept-secret.ts'

// Secrets that the server made itself are files here and rows on PostgreSQL. A transfer sees them as rows, so that what
// they signed or encrypted remains valid on the other engine.

export const secretTable = 'shared_secrets'

const names = Object.entries(secretNamesInDatabase) as [SecretName, string][]

export async function secretRowsIn(dataDir: string): Promise<Row[]> {
  const rows = await Promise.all(
    names.map(async ([file, name]) => ({ name, value: await findSecret(dataDir, file, () => undefined) })),
  )
  return rows.flatMap(({ name, value }) => (value === undefined ? [] : [{ name, value }]))
}

export const isSecretRow = (row: Row): boolean => names.some(([, name]) => name === row.name)

export async function adoptSecretRows(dataDir: string, rows: readonly Row[]): Promise<void> {
  for (const [file, name] of names) {
    const row = rows.find((row) => row.name === name)
    if (typeof row?.value === 'string') await adoptSecret(dataDir, file, row.value)
  }
}
