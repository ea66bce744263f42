import { randomUUID } from 'node:crypto'
import { objectKeys } from '@atrium/contract'
import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { createS3Client } from '../../adapters/s3/s3-client.ts'
import type { Config } from '../../config/config.ts'
import type { ClockFacts } from '../judge/clock.ts'
import type { CorsFacts, ObjectStoreFacts } from '../judge/object-store.ts'
import { codeOf } from './error-code.ts'
import { askOverHttp } from './http-request.ts'

const anyPage = 'https://any-page.example'

/** Uploads a probe as a page would, reads it back, and erases it. */
export async function gatherObjectStore(
  { video, publicUrl }: Config,
  store: NonNullable<Config['objectStore']>,
  signal: AbortSignal,
): Promise<{ facts: ObjectStoreFacts; clock: ClockFacts | undefined }> {
  const settings = { ...store, bucket: video.bucket }
  const client = createS3Client(settings)
  client.config.maxAttempts = async () => 1
  // Where an instance has its rights, but no original, so that nothing wants to transcode it.
  const probe = { Bucket: video.bucket, Key: `${objectKeys.root}doctor-${randomUUID()}` }
  const options = { abortSignal: signal }
  const content = randomUUID()
  const failureOf = async (step: 'write' | 'read' | 'erase', work: () => Promise<unknown>) => {
    try {
      await work()
      return undefined
    } catch (error) {
      const { name } = error as Error
      return {
        step,
        code: name === 'Error' || name === 'TimeoutError' || name === 'AggregateError' ? codeOf(error) : name,
      }
    }
  }
  try {
    const written = await failureOf('write', () =>
      client.send(new PutObjectCommand({ ...probe, Body: content }), options),
    )
    if (written) return { facts: { failure: written, cors: undefined }, clock: undefined }
    const read = await failureOf('read', async () => {
      const { Body } = await client.send(new GetObjectCommand(probe), options)
      if ((await Body?.transformToString()) !== content) throw new Error('other content')
    })
    const url = await getSignedUrl(client, new PutObjectCommand(probe), { expiresIn: 60 })
    const { cors, clock } = await corsOf(url, content, publicUrl, signal)
    const erased = await failureOf('erase', () => client.send(new DeleteObjectCommand(probe), options))
    return { facts: { failure: read ?? erased, cors }, clock }
  } finally {
    client.destroy()
  }
}

async function corsOf(
  url: string,
  content: string,
  publicUrl: string | undefined,
  signal: AbortSignal,
): Promise<{ cors: CorsFacts; clock: ClockFacts | undefined }> {
  const own = publicUrl === undefined ? undefined : new URL(publicUrl).origin
  const origin = own ?? anyPage
  const preflight = await askOverHttp(url, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'PUT' },
    signal,
  })
  const upload = await askOverHttp(url, { method: 'PUT', headers: { origin }, body: content, signal })
  return {
    cors: {
      origin: own,
      allowOrigin: preflight.headers['access-control-allow-origin'],
      allowMethods: preflight.headers['access-control-allow-methods'],
      exposeHeaders: upload.headers['access-control-expose-headers'],
    },
    clock:
      upload.clockAheadMs === undefined
        ? undefined
        : { other: 'the object store', aheadMs: upload.clockAheadMs },
  }
}
