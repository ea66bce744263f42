import { createGunzip } from 'node:zlib'
import { Type } from 'typebox'
import type { WrittenFile } from '../adapters/disk/backup-layout.ts'
import type { StoredBackup } from '../adapters/disk/stored-backup.ts'
import { TransferRefused } from '../kernel/transfer-errors.ts'
import { parserFor } from '../kernel/validate.ts'
import type { DataTarget, ObjectTarget, Row } from '../ports/transfer.ts'
import { copyObject, type ExpectedObject, isThere } from './copy-objects.ts'
import { fillTable, isSame, type Report } from './fill-tables.ts'
import { objectOf, pagesOfLines, rowOf } from './lines.ts'
import { type Known, type Manifest, maxManifestBytes, readManifest } from './manifest.ts'

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
      key: Type.String({ minLength: 1, maxLength: 1_024 }),
      contentType: Type.String({ maxLength: 1_024 }),
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
    expectSameFile(`tables/${name}.jsonl.gz`, await backup.measure(`tables/${name}`), expected)
  }
  expectSameFile('objects.jsonl.gz', await backup.measure('objects'), manifest.objects)
  let count = 0
  for await (const { sha256, size, number } of listedObjects(backup)) {
    report(`checking object ${number + 1}`)
    const expected = { bytes: size, sha256 }
    expectSameFile(`object ${number}`, await backup.measureObject(number), expected)
    count++
  }
  if (count !== manifest.objects.count) throw damaged('objects.jsonl.gz')
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
      `The backup has ${manifest.objects.count} objects (films), and this installation has no object store: set S3_ENDPOINT.`,
    )
  for await (const object of listedObjects(backup)) if (objects) await isThere(objects, object)
  await target.begin(manifest.migrations.at(-1) ?? '')
  for (const { name, columns, ...expected } of manifest.tables) {
    const filled = await fillTable(target, { name, columns, pages: rowsOf(backup, name, columns) }, report)
    if (!isSame(filled, expected)) throw new Error(`the table ${name} has other rows than the manifest says`)
  }
  for await (const object of listedObjects(backup)) {
    report(`objects: ${object.number + 1} of ${manifest.objects.count}`)
    if (objects) await copyObject(objects, object)
  }
  await target.finish()
}

function expectSameFile(name: string, found: WrittenFile | undefined, expected: WrittenFile): void {
  if (!found) throw new TransferRefused(`The backup is damaged: ${name} is missing.`)
  if (found.bytes !== expected.bytes || found.sha256 !== expected.sha256) throw damaged(name)
}

const damaged = (name: string) =>
  new TransferRefused(`The backup is damaged: ${name} is not what the manifest says.`)

async function* rowsOf(
  backup: StoredBackup,
  name: string,
  columns: readonly string[],
): AsyncGenerator<Row[]> {
  for await (const lines of pagesOfLines(unzipped(backup, `tables/${name}`)))
    yield lines.map((line) => rowOf(line, columns))
}

async function* listedObjects(backup: StoredBackup): AsyncGenerator<ExpectedObject & { number: number }> {
  let number = 0
  for await (const lines of pagesOfLines(unzipped(backup, 'objects')))
    for (const line of lines) {
      const parsed = objectLine.parse(objectOf(line))
      if (!parsed.ok) throw damaged('objects.jsonl.gz')
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
