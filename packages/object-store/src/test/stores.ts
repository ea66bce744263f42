import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createTemporaryFolder } from '@atrium/testkit'
import {
  CreateMultipartUploadCommand,
  GetObjectCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { afterEach } from 'vitest'
import { bucket as Bucket, type StoreWorld, startStore } from './store-world.ts'

/** Stores and folders of one test each: after it, they are stopped and removed. */
export function useStores() {
  const worlds: StoreWorld[] = []
  const folders: { remove(): void }[] = []
  afterEach(async () => {
    for (const world of worlds.splice(0)) await world.stop()
    for (const folder of folders.splice(0)) folder.remove()
  })
  return {
    async start(options: Parameters<typeof startStore>[0] = {}): Promise<StoreWorld> {
      const world = await startStore(options)
      worlds.push(world)
      return world
    },
    /** A folder that outlives the store which uses it. */
    keptFolder(): string {
      const folder = createTemporaryFolder('kept-objects')
      folders.push(folder)
      return folder.path
    },
  }
}

/** Every file below a folder. */
export const filesIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))

export const put = ({ client }: StoreWorld, Key: string, Body: string | Buffer) =>
  client.send(new PutObjectCommand({ Bucket, Key, Body }))
export const read = async ({ client }: StoreWorld, Key: string): Promise<string | undefined> =>
  (await client.send(new GetObjectCommand({ Bucket, Key }))).Body?.transformToString()

export async function beginUpload({ client }: StoreWorld, Key: string, ...bodies: (string | Buffer)[]) {
  const { UploadId = '' } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key }))
  const Parts: { PartNumber: number; ETag: string | undefined }[] = []
  for (const [index, Body] of bodies.entries()) {
    const PartNumber = index + 1
    const { ETag } = await client.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body }))
    Parts.push({ PartNumber, ETag })
  }
  return { Bucket, Key, UploadId, MultipartUpload: { Parts } }
}
export const small = { limits: { minPartBytes: 1 } }
