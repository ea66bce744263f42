import { readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf, type Folders } from './durable.ts'
import { objectPath } from './key-path.ts'
import { type Layout, uploadFile, uploadIdPattern } from './layout.ts'
import { type Facts, factsAt, type ObjectFacts } from './sealed-file.ts'
import { finishUpload, type OpenUpload, type UploadFacts } from './uploads.ts'

/**
 * Brings the folder into order after a process that ended anywhere, even in the middle of a step. Returns the uploads
 * that are open. A folder of parts belongs to the object that refers to it, or to an open upload, or to nobody.
 */
export async function recover(
  layout: Layout,
  folders: Folders,
  warn: (path: string, message: string) => void,
): Promise<Map<string, OpenUpload>> {
  for (const folder of [layout.folder, layout.objects, layout.uploads, layout.temporary])
    await folders.make(folder)
  for (const name of await readdir(layout.temporary))
    await rm(join(layout.temporary, name), { recursive: true, force: true })
  const open = new Map<string, OpenUpload>()
  for (const uploadId of await readdir(layout.uploads)) {
    if (!uploadIdPattern.test(uploadId)) continue
    try {
      const upload = await recoverUpload(layout, uploadId)
      if (upload) open.set(uploadId, upload)
    } catch (error) {
      // Nothing of ours looks like this. A person must decide about it; everything else works without it.
      warn(layout.upload(uploadId), `cannot be read: ${(error as Error).message}`)
    }
  }
  return open
}

async function recoverUpload(layout: Layout, uploadId: string): Promise<OpenUpload | undefined> {
  const folder = layout.upload(uploadId)
  const openFacts = await uploadFactsAt(join(folder, uploadFile.open))
  const facts = openFacts ?? (await uploadFactsAt(join(folder, uploadFile.completed)))
  if (!facts) throw new Error('it has no facts')
  const object = await factsAt<ObjectFacts>(objectPath(layout.objects, facts.key))
  const isUsed = object?.pieces?.uploadId === uploadId
  if (isUsed && openFacts) await finishUpload(layout, uploadId, object.pieces, await partNumbersIn(folder))
  if (isUsed) return undefined
  if (openFacts) return { ...openFacts, uploadId, parts: await partsIn(layout, uploadId) }
  // First in one step to where the next start would remove it too.
  const doomed = layout.newTemporary()
  await rename(folder, doomed)
  await rm(doomed, { recursive: true, force: true })
  return undefined
}

async function uploadFactsAt(path: string): Promise<UploadFacts | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as UploadFacts
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

const partNumbersIn = async (folder: string): Promise<number[]> =>
  (await readdir(folder)).filter((name) => /^\d{5}$/.test(name)).map(Number)

async function partsIn(layout: Layout, uploadId: string): Promise<Map<number, Facts>> {
  const parts = new Map<number, Facts>()
  for (const number of await partNumbersIn(layout.upload(uploadId))) {
    const facts = await factsAt<Facts>(layout.part(uploadId, number))
    if (facts) parts.set(number, facts)
  }
  return parts
}
