import { createGunzip } from 'node:zlib'
import { objectKeys, parserFor } from '@atrium/contract'
import { Type } from 'typebox'
import type { StoredBackup } from '../adapters/disk/stored-backup.ts'
import { TransferRefused } from '../kernel/transfer-errors.ts'
import type { DataTarget, ObjectTarget, Row } from '../ports/transfer.ts'
import { copyObject, type ExpectedObject, isThere } from './copy-objects.ts'
import { fillTable, isSame, type Report } from './fill-tables.ts'
import { objectOf, pagesOfLines, rowOf } from './lines.ts'
import { type Known, type Manifest, maxManifestBytes, readManifest, type TableEntry } from './manifest.ts'

interface RestoreDeps {
  backup: StoredBackup
  manifest: Manifest
  target: DataTarget
  /** Undefined if the installation has no object store. */
  objects: ObjectTarget | undefined
  report: Report
}

const objectLine = parserFor(
  Type.Object(
    {
      // Others may use the bucket too.
      key: Type.String({ pattern: `^${objectKeys.root}[^\\p{Cc}\\p{Cs}]{1,1017}$` }),
      contentType: Type.String({ pattern: '^[\\x20-\\x7e]{0,1024}$' }),
      size: Type.Integer({ minimum: 0 }),
      sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    },
    { additionalProperties: false },
  ),
)

/** Compares every file with its hash. Nothing of a backup is used before. */
export async function verifyBackup(backup: StoredBackup, known: Known, report: Report): Promise<Manifest> {
  const manifest = readManifest(await backup.readManifest(maxManifestBytes), known)
  for (const { name, ...expected } of manifest.tables) {
    report(`checking ${name}`)
    expectSame(`tables/${name}.jsonl.gz`, await backup.compareLines(`tables/${name}`, expected))
  }
  expectSame('objects.jsonl.gz', await backup.compareLines('objects', manifest.objects))
  let count = 0
  let totalBytes = 0
  for await (const { sha256, size, number } of listedObjects(backup, manifest)) {
    report(`checking object ${number + 1}`)
    expectSame(`object ${number}`, await backup.compareObject(number, { bytes: size, sha256 }))
    count++
    totalBytes += size
  }
  const { objects } = manifest
  if (count !== objects.count || totalBytes !== objects.totalBytes) throw damaged('objects.jsonl.gz')
  return manifest
}

/** Fills an empty installation with a verified backup. */
export async function restoreBackup({
  backup,
  manifest,
  target,
  objects,
  report,
}: RestoreDeps): Promise<void> {
  if (manifest.objects.count > 0 && !objects)
    throw new TransferRefused(
      `The backup has ${manifest.objects.count} objects (videos), and this installation has no object store: set S3_ENDPOINT.`,
    )
  for await (const object of listedObjects(backup, manifest)) if (objects) await isThere(objects, object)
  await target.begin(manifest.migrations.at(-1) ?? '')
  for (const table of manifest.tables) {
    const { name, columns } = table
    const filled = await fillTable(target, { name, columns, pages: rowsOf(backup, table) }, report)
    if (!isSame(filled, table)) throw otherRows(name)
  }
  for await (const object of listedObjects(backup, manifest)) {
    report(`objects: ${object.number + 1} of ${manifest.objects.count}`)
    if (objects) await copyObject(objects, object)
  }
  await target.finish()
}

function expectSame(name: string, found: Awaited<ReturnType<StoredBackup['compareLines']>>): void {
  if (found === 'missing') throw new TransferRefused(`The backup is damaged: ${name} is missing.`)
  if (found === 'other') throw damaged(name)
}

const damaged = (name: string) =>
  new TransferRefused(`The backup is damaged: ${name} is not what the manifest says.`)

const otherRows = (name: string) => new Error(`the table ${name} has other rows than the manifest says`)

/** No more than the manifest says: a file of a megabyte can hold a billion rows. */
async function* rowsOf(backup: StoredBackup, { name, columns, rows }: TableEntry): AsyncGenerator<Row[]> {
  let count = 0
  for await (const lines of pagesOfLines(unzipped(backup, `tables/${name}`))) {
    count += lines.length
    if (count > rows) throw otherRows(name)
    yield lines.map((line) => rowOf(line, columns))
  }
}

async function* listedObjects(
  backup: StoredBackup,
  { objects: { count } }: Manifest,
): AsyncGenerator<ExpectedObject & { number: number }> {
  let number = 0
  for await (const lines of pagesOfLines(unzipped(backup, 'objects')))
    for (const line of lines) {
      const parsed = objectLine.parse(objectOf(line))
      if (!parsed.ok || number >= count) throw damaged('objects.jsonl.gz')
      const own = number++
      yield { ...parsed.value, number: own, read: (range) => backup.openObject(own, range) }
    }
}

/** An error of the file must reach whoever reads: `pipe` alone would leave them waiting. */
function unzipped(backup: StoredBackup, name: string): AsyncIterable<Uint8Array> {
  const file = backup.openLines(name)
  const unzip = createGunzip()
  file.on('error', (error) => unzip.destroy(error))
  return file.pipe(unzip)
}
