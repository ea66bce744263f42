import type { NewBackup } from '../adapters/disk/new-backup.ts'
import { ObjectGone } from '../kernel/transfer-errors.ts'
import type { DataSource, ObjectSource, Row } from '../ports/transfer.ts'
import type { Report } from './fill-tables.ts'
import { lineOf } from './lines.ts'
import { type BackupFacts, type TableEntry, writeManifest } from './manifest.ts'
import { createRowDigest, type RowDigest } from './row-digest.ts'
import { tablesInOrder } from './tables-in-order.ts'

interface BackupDeps {
  source: DataSource
  /** Undefined if the installation has no object store. */
  objects: ObjectSource | undefined
  backup: NewBackup
  version: string
  createdAt: Date
  report: Report
}

/** Tables first, then objects: so the backup has every video that its tables name. The manifest last. */
export async function writeBackup({
  source,
  objects,
  backup,
  report,
  ...about
}: BackupDeps): Promise<BackupFacts> {
  const tables: TableEntry[] = []
  for (const name of tablesInOrder) {
    const columns = [...(await source.columnsOf(name))]
    if (columns.length === 0) continue // Of an older version, which has not been migrated yet.
    const digest = createRowDigest()
    const lines = linesOf(source.rows(name, columns), digest, (rows) => report(`${name}: ${rows} rows`))
    const file = await backup.writeLines(`tables/${name}`, lines)
    tables.push({ name, columns, ...digest.result(), ...file })
  }
  const { engine, migrations } = source
  await source.close()
  const facts: BackupFacts = {
    version: about.version,
    createdAt: about.createdAt.toISOString(),
    engine,
    migrations: [...migrations],
    tables,
    objects: await writeObjects(objects, backup, report),
  }
  await backup.publish(writeManifest(facts))
  return facts
}

async function* linesOf(
  pages: AsyncIterable<Row[]>,
  digest: RowDigest,
  onPage: (rows: number) => void,
): AsyncGenerator<string> {
  for await (const page of pages) {
    const lines = page.map(lineOf)
    for (const line of lines) digest.add(line)
    onPage(digest.result().rows)
    if (lines.length > 0) yield `${lines.join('\n')}\n`
  }
}

async function writeObjects(
  objects: ObjectSource | undefined,
  backup: NewBackup,
  report: Report,
): Promise<BackupFacts['objects']> {
  let count = 0
  let totalBytes = 0
  async function* list(): AsyncGenerator<string> {
    for await (const key of objects?.keys() ?? []) {
      const object = await objects?.open(key)
      if (!object) continue // Deleted since it was listed.
      report(`objects: ${count + 1}`)
      try {
        const { bytes, sha256 } = await backup.writeObject(count, object.read())
        const { contentType } = object
        yield `${JSON.stringify({ key, contentType, size: bytes, sha256 })}\n`
        count++
        totalBytes += bytes
      } catch (error) {
        if (!(error instanceof ObjectGone)) throw error
        await backup.dropObject(count)
      }
    }
  }
  const file = await backup.writeLines('objects', list())
  return { count, totalBytes, ...file }
}
