import { createServer } from 'node:http'
import { createObjectStore, presignPart } from '@atrium/object-store'
import { addressOf, listenOn } from '@atrium/program'
import { createTemporaryFolder } from '@atrium/testkit'
import { createDiskBlobs } from '../../src/adapters/disk-blobs/disk-blobs.ts'
import type { BlobStore } from '../../src/ports/blob-store.ts'

const bucket = 'atrium-test'
const credentials = { accessKeyId: 'atrium-test-key', secretAccessKey: 'atrium-test-secret' }
const prefix = '/objects'

/** Our own object store in this process, mounted as the server mounts it, and used without HTTP. */
export async function startStoreInProcess({ idleMs, maxBytes }: { idleMs?: number; maxBytes?: number } = {}) {
  const folder = createTemporaryFolder('disk-blobs')
  const open = () =>
    createObjectStore({
      folder: folder.path,
      bucket,
      credentials: [credentials],
      prefix,
      keepFreeBytes: 0,
      maxBytes,
    })
  const stores = [await open()]
  const current = () => stores.at(-1) as (typeof stores)[number]
  const server = createServer((message, response) => void current().handle(message, response))
  await listenOn(server, '127.0.0.1', 0)
  const connect = (): BlobStore =>
    createDiskBlobs({
      store: current().direct,
      presign: (part, origin) =>
        presignPart({ ...part, bucket, root: origin + prefix }, credentials, Date.now()),
      ...(idleMs !== undefined && { idleMs }),
    })
  const stage = {
    blobs: connect(),
    folder: folder.path,
    http: addressOf(server, '127.0.0.1'),
    /** As after a crash: the next store finds the folder as the last one left it. */
    async killAndStartAgain() {
      stores.push(await open())
      stage.blobs = connect()
    },
    async stop() {
      server.closeAllConnections()
      server.close()
      for (const store of stores) await store.close()
      folder.remove()
    },
  }
  return stage
}
