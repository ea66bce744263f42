import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { createObjectStore, type ObjectStore } from '@atrium/object-store'
import { createTemporaryFolder, waitUntil } from '@atrium/testkit'
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClientErrorReply } from './client-error.ts'
import { endLongBodies } from './long-bodies.ts'
import { addObjects, objectsRoot } from './objects.ts'

// Set up as the server is, but less patient.
const folder = createTemporaryFolder('mounted-objects')
const credentials = { accessKeyId: 'key', secretAccessKey: 'a-secret-for-tests' }
const Bucket = 'films'
const publicUrl = 'https://studies.example.org'
let app: FastifyInstance
let store: ObjectStore
let client: S3Client
let origin: string

beforeAll(async () => {
  store = await createObjectStore({
    folder: folder.path,
    bucket: Bucket,
    credentials: [credentials],
    prefix: objectsRoot,
    keepFreeBytes: 0,
  })
  const clientErrors = createClientErrorReply(() => 'id', { now: Date.now })
  app = Fastify({
    bodyLimit: 1_000,
    requestTimeout: 1_000,
    http: { headersTimeout: 1_000, connectionsCheckingInterval: 50 },
    clientErrorHandler: (error, socket) => clientErrors.reply(error, socket),
  })
  clientErrors.watch(app.server)
  endLongBodies(app.server, { silentMs: 5_000, answeredMs: 100 })
  addObjects(app, store.handle, publicUrl)
  app.post('/api/small', async () => ({ ok: true }))
  origin = await app.listen({ port: 0, host: '127.0.0.1' })
  client = clientOf(origin)
})

const clientOf = (address: string): S3Client =>
  new S3Client({
    endpoint: `${address}${objectsRoot}`,
    region: 'us-east-1',
    credentials,
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
  })

afterAll(async () => {
  client.destroy()
  await app.close()
  await store.close()
  folder.remove()
})

const addressOf = (Key: string, ContentLength: number) =>
  getSignedUrl(client, new PutObjectCommand({ Bucket, Key, ContentLength }), { expiresIn: 60 })

/** A request whose body the test writes piece by piece. */
function begin(
  method: string,
  url: string,
  bytes: number,
): { sending: ClientRequest; answer: Promise<number> } {
  const sending = request(url, {
    method,
    headers: { 'content-length': bytes, 'content-type': 'application/json' },
  })
  sending.on('error', () => undefined)
  const answer = once(sending, 'response').then(([response]: IncomingMessage[]) => {
    response?.resume()
    return response?.statusCode ?? 0
  })
  answer.catch(() => undefined)
  return { sending, answer }
}

test('[O17] objects of any size pass, whatever the limit of other bodies', async () => {
  const Body = randomBytes(3_000_000)
  await client.send(
    new PutObjectCommand({ Bucket, Key: 'large/ü +.mp4', Body, ContentType: 'application/json' }),
  )
  const { Body: stored } = await client.send(new GetObjectCommand({ Bucket, Key: 'large/ü +.mp4' }))
  expect(Buffer.from((await stored?.transformToByteArray()) ?? []).equals(Body)).toBe(true)
  const refused = await fetch(`${origin}/objects/${Bucket}/large`, { method: 'PUT', body: '{' })
  expect([refused.status, await refused.text()]).toEqual([
    403,
    expect.stringContaining('<Code>AccessDenied</Code>'),
  ])
  const preflight = await fetch(`${origin}/objects/${Bucket}/large`, {
    method: 'OPTIONS',
    headers: { origin: 'https://console.example.org', 'access-control-request-method': 'PUT' },
  })
  expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
})

test('[O20] an address that was signed for the public name works behind a proxy that does not pass it on', async () => {
  const command = new PutObjectCommand({ Bucket, Key: 'proxied', ContentLength: 4 })
  for (const [signedFor, status] of [
    [publicUrl, 200],
    ['https://elsewhere.example.org', 403],
  ] as const) {
    const { pathname, search } = new URL(await getSignedUrl(clientOf(signedFor), command))
    const response = await fetch(`${origin}${pathname}${search}`, { method: 'PUT', body: 'film' })
    expect(response.status).toBe(status)
  }
})

test('[O17][R11] a slow upload outlives the time that other slow requests have', async () => {
  const upload = begin('PUT', await addressOf('slow', 1_000), 1_000)
  let sent = 0
  const drip = setInterval(() => {
    sent++
    upload.sending.write(' ')
  }, 100)
  const others: number[] = []
  // Each of them begins after the upload and is cut off before it ends.
  for (let round = 0; round < 3; round++) {
    const other = begin('POST', `${origin}/api/small`, 100)
    other.sending.write(' ')
    others.push(await other.answer)
    other.sending.destroy()
  }
  clearInterval(drip)
  expect(others).toEqual([408, 408, 408])
  upload.sending.end(' '.repeat(1_000 - sent))
  expect(await upload.answer).toBe(200)
})

test('[O17] an upload that falls silent ends, and stores nothing', async () => {
  const { sending } = begin('PUT', await addressOf('silent', 100), 100)
  let isClosed = false
  sending.on('close', () => {
    isClosed = true
  })
  sending.write('half')
  await waitUntil(() => isClosed || 'still open')
  await expect(client.send(new GetObjectCommand({ Bucket, Key: 'silent' }))).rejects.toThrow()
})
