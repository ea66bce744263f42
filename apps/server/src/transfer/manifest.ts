import { hash } from 'node:crypto'
import { parserFor } from '@atrium/contract'
import { Type } from 'typebox'
import { TransferRefused } from '../kernel/transfer-errors.ts'

const format = 'atrium-backup-1'

const sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' })
const count = Type.Integer({ minimum: 0 })
const closed = { additionalProperties: false }
const name = Type.String({ pattern: '^[a-z0-9_]{1,63}$' })

/** `rows` and `digest` are those of the rows, `bytes` and `sha256` those of the compressed file. */
const table = Type.Object(
  {
    name,
    columns: Type.Array(name, { minItems: 1, maxItems: 1_000 }),
    rows: count,
    digest: sha256,
    bytes: count,
    sha256,
  },
  closed,
)

const contents = {
  format: Type.Literal(format),
  /** Of the Atrium that made the backup. */
  version: Type.String({ pattern: '^\\d{1,6}\\.\\d{1,6}\\.\\d{1,6}([-+][0-9A-Za-z.+-]{0,100})?$' }),
  createdAt: Type.String({ maxLength: 40 }),
  engine: Type.Union([Type.Literal('sqlite'), Type.Literal('postgres')]),
  migrations: Type.Array(name, { minItems: 1, maxItems: 10_000 }),
  tables: Type.Array(table, { maxItems: 1_000 }),
  /** Of `objects.jsonl.gz`, the list of objects. */
  objects: Type.Object({ count, totalBytes: count, bytes: count, sha256 }, closed),
}

const manifest = Type.Object({ ...contents, checksum: sha256 }, closed)
const parser = parserFor(manifest)

export type Manifest = Type.Static<typeof manifest>
export type BackupFacts = Omit<Manifest, 'checksum' | 'format'>
export type TableEntry = Manifest['tables'][number]

export const maxManifestBytes = 16 * 2 ** 20

const checksumOf = (facts: object): string => hash('sha256', JSON.stringify(facts))

/** The checksum covers the rest as written here, so it also notices an edit that leaves valid JSON. */
export function writeManifest(facts: BackupFacts): string {
  const whole = { format, ...facts }
  return `${JSON.stringify({ ...whole, checksum: checksumOf(whole) }, null, 2)}\n`
}

/** What this installation can take. */
export interface Known {
  version: string
  migrations: readonly string[]
  tables: readonly string[]
}

/** Throws TransferRefused with a sentence for whatever is wrong with it. */
export function readManifest(text: string, known: Known): Manifest {
  const value = parsedJson(text)
  const found = (value as { format?: unknown } | null)?.format
  if (typeof found === 'string' && /^atrium-backup-\d+$/.test(found) && found !== format)
    throw new TransferRefused(
      `The backup has the format ${found}, and this version of Atrium reads ${format}.`,
    )
  const parsed = parser.parse(value)
  if (!parsed.ok) {
    const [issue] = parsed.issues
    throw damaged(`${issue?.path || 'it'} ${issue?.message ?? 'is wrong'}`)
  }
  const { checksum, ...facts } = parsed.value
  if (checksumOf(facts) !== checksum) throw damaged('its checksum is not that of its contents')
  refuseNewer(parsed.value, known)
  refuseUnknownTables(parsed.value, known)
  return parsed.value
}

const damaged = (why: string) => new TransferRefused(`The manifest is damaged or was changed: ${why}.`)

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw damaged('it is not JSON')
  }
}

const isKnownSchema = (migrations: readonly string[], known: Known): boolean =>
  migrations.length > 0 && migrations.every((name, index) => known.migrations[index] === name)

/** A newer version may have tables that this one would leave out. */
export function refuseUnknownSchema(migrations: readonly string[], known: Known): void {
  if (isKnownSchema(migrations, known)) return
  throw new TransferRefused(
    `The database is of another version than this Atrium ${known.version}: its last migration is ${migrations.at(-1)}.`,
  )
}

function refuseNewer({ version, migrations }: Manifest, known: Known): void {
  if (isKnownSchema(migrations, known) && !isNewer(version, known.version)) return
  throw new TransferRefused(
    `The backup was made by Atrium ${version}, and this is ${known.version}: restore it with Atrium ${version} or newer.`,
  )
}

function isNewer(version: string, than: string): boolean {
  const [one, other] = [version, than].map((text) => text.split(/[-+]/, 1)[0]?.split('.').map(Number) ?? [])
  const index = one?.findIndex((part, at) => part !== other?.[at]) ?? -1
  return index >= 0 && (one?.[index] ?? 0) > (other?.[index] ?? 0)
}

function refuseUnknownTables({ tables }: Manifest, known: Known): void {
  const names = tables.map(({ name }) => name)
  const unknown = names.find((name) => !known.tables.includes(name))
  if (unknown !== undefined) throw damaged(`there is no table ${unknown}`)
  if (new Set(names).size !== names.length) throw damaged('it names a table twice')
}
