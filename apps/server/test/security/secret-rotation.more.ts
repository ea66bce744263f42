import { createHmac, randomBytes } from 'node:crypto'
import { participantRoutes } from '@atrium/contract'
import {
  codeOf,
  createApi,
  createPerson,
  createResearcher,
  type ObjectStoreProgram,
  type Server,
  startObjectStore,
  startServer,
} from '@atrium/testkit'
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, expect, test } from 'vitest'

// The middle of a rotation: the new secret is first, and the old one is still accepted. The whole way, under load and on
// two instances, is in secret-rotation.long.ts.

const secret = () => randomBytes(24).toString('base64url')
const [oldSecret, newSecret, oldKey, newKey] = [secret(), secret(), secret(), secret()]

let server: Server
let objects: ObjectStoreProgram
beforeAll(async () => {
  ;[server, objects] = await Promise.all([
    startServer({
      env: { SESSION_SECRET: `${newSecret}, ${oldSecret}`, INTERNAL_API_KEY: `${newKey},${oldKey}` },
    }),
    startObjectStore({
      S3_ACCESS_KEY_ID: 'second,first',
      S3_SECRET_ACCESS_KEY: `${newSecret},${oldSecret}`,
    }),
  ])
})
afterAll(async () => {
  await Promise.all([server?.stop(), objects?.stop()])
})

test('[R12] SESSION_SECRET: the first secret signs, and tokens of both are accepted', async () => {
  const api = createApi(server.http)
  const researcher = await createResearcher(api)
  const experimentId = await researcher.openExperiment()
  const person = await createPerson(api)
  const { sessionId, sessionToken, expiresAt } = await person.join(experimentId)
  const tokenOf = (key: string) =>
    `stkn_${createHmac('sha256', key)
      .update(`${sessionId}.${Date.parse(expiresAt)}`)
      .digest('base64url')}`
  expect(sessionToken).toBe(tokenOf(newSecret))
  const isAccepted = async (token: string) => {
    const response = await api.call(participantRoutes.eventsV4, {
      session: { sessionId, sessionToken: token },
      body: { experimentId, events: [] },
    })
    return codeOf(response) !== 'SESSION_INVALID'
  }
  expect(await Promise.all([newSecret, oldSecret, secret()].map(tokenOf).map(isAccepted))).toEqual([
    true,
    true,
    false,
  ])
})

test('INTERNAL_API_KEY: each of the keys opens the internal routes, and no other text does', async () => {
  const statusWith = async (key: string) => {
    const response = await fetch(`${server.http}/api/internal/videos/vid_none/hls-progress`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-internal-key': key },
      body: '{}',
    })
    return response.status
  }
  const [forNew, forOld, ...others] = await Promise.all(
    [newKey, oldKey, secret(), `${newKey},${oldKey}`].map(statusWith),
  )
  expect(others).toEqual([401, 401])
  expect([forNew, forOld]).not.toContain(401)
})

test('S3_SECRET_ACCESS_KEY: the object store accepts both pairs, and no mixture of them', async () => {
  const clientOf = (accessKeyId: string, secretAccessKey: string) =>
    new S3Client({
      endpoint: objects.http,
      region: 'us-east-1',
      forcePathStyle: true,
      maxAttempts: 1,
      credentials: { accessKeyId, secretAccessKey },
    })
  const [first, second] = [clientOf('first', oldSecret), clientOf('second', newSecret)]
  const video = { Bucket: 'atrium-test', Key: 'film' }
  await first.send(new PutObjectCommand({ ...video, Body: 'a video' }))
  const { Body } = await second.send(new GetObjectCommand(video))
  expect(await Body?.transformToString()).toBe('a video')
  const mixed = clientOf('first', newSecret)
  await expect(mixed.send(new GetObjectCommand(video))).rejects.toMatchObject({
    name: 'SignatureDoesNotMatch',
  })
  for (const client of [first, second, mixed]) client.destroy()
})
