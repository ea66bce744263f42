import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import { createObjectStore, presignPart } from '@atrium/object-store'
import { type Secrets, usingKey } from '@atrium/program'
import type { FastifyBaseLogger } from 'fastify'
import { createDiskBlobs } from '../adapters/disk-blobs/disk-blobs.ts'
import type { Config } from '../config/config.ts'
import { objectsRoot, type RawHandler } from '../http/objects.ts'
import type { Clock } from '../kernel/clock.ts'
import type { BlobStore } from '../ports/blob-store.ts'

export interface ObjectsContext {
  /** Shared by all instances; the first is used. */
  secrets: Secrets
  clock: Clock
  logger: FastifyBaseLogger
}

export interface Objects {
  blobs: BlobStore
  /** With connections of its own: people who watch must not slow down the work of this server. */
  forJobs: BlobStore
  /** Answers below `/objects/`; undefined if the object store is not ours. */
  handleObjects: RawHandler | undefined
  close(): Promise<void>
}

/** Chooses where objects are: an S3, or our own store in DATA_DIR. */
export const openObjects = (config: Config, context: ObjectsContext): Promise<Objects> =>
  config.objectStore ? openS3(config, config.objectStore) : openOwnStore(config, context)

async function openS3({ video }: Config, store: NonNullable<Config['objectStore']>): Promise<Objects> {
  // Loaded only where it is used: this SDK takes long to load.
  const { createS3Blobs } = await import('../adapters/s3/s3-blobs.ts')
  const connect = () => createS3Blobs({ ...store, bucket: video.bucket })
  const [blobs, forJobs] = [connect(), connect()]
  return {
    blobs,
    forJobs,
    handleObjects: undefined,
    async close() {
      blobs.close()
      forJobs.close()
    },
  }
}

async function openOwnStore({ dataDir, video }: Config, context: ObjectsContext): Promise<Objects> {
  const { bucket } = video
  const { now } = context.clock
  // Nobody but us signs for this store, so its keys need not be configured. Uploads under way hold addresses that were
  // signed with an older one.
  const credentialsFrom = (secret: string) => ({
    accessKeyId: 'atrium',
    secretAccessKey: createHmac('sha256', secret).update('atrium object store').digest('base64url'),
  })
  const [first, ...older] = context.secrets
  const credentials = credentialsFrom(first)
  const store = await usingKey('DATA_DIR', () =>
    createObjectStore({
      folder: join(dataDir, 'objects'),
      bucket,
      credentials: [credentials, ...older.map(credentialsFrom)],
      prefix: objectsRoot,
      onError: (err, what) => context.logger.warn({ err, ...what }, 'the object store failed'),
      now,
    }),
  )
  const blobs = createDiskBlobs({
    store: store.direct,
    presign: (part, origin) =>
      presignPart({ ...part, bucket, root: origin + objectsRoot }, credentials, now()),
  })
  return { blobs, forJobs: blobs, handleObjects: store.handle, close: store.close }
}
