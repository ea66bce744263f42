import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { participantRoutes } from '@atrium/contract'
import {
  codeOf,
  createApi,
  createPerson,
  createResearcher,
  createTemporaryFolder,
  makeTinyVideo,
  type ObjectStoreProgram,
  type Postgres,
  type Server,
  startObjectStore,
  startPostgres,
  startServer,
  startWorld,
  type World,
} from '@atrium/testkit'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { gatherRedis } from '../../src/doctor/gather/redis.ts'
import { credentialKeeper } from '../agents/credential-stage.ts'
import { arenaIn } from '../cluster/arena.ts'
import { createVideoMaker } from '../media/video-maker.ts'
import { queryPostgres } from '../stores/engines.ts'
import { type RotationLoad, startRotationLoad } from './rotation-load.ts'

// Every secret of an installation on two instances, a router, a worker and an object store is replaced, one after another, while
// people join, a game is played and a video is watched. docs/secrets.md describes the same steps.

const secret = () => randomBytes(24).toString('base64url')
const aKey = (id: string) => `${id}:${randomBytes(32).toString('base64')}`
const old = {
  session: secret(),
  internal: secret(),
  credential: aKey('a'),
  database: secret(),
  redis: secret(),
}
const next = {
  session: secret(),
  internal: secret(),
  credential: aKey('b'),
  database: secret(),
  redis: secret(),
}
const s3 = { old: secret(), next: secret() }

const folder = createTemporaryFolder('rotation')
let postgres: Postgres
let objects: ObjectStoreProgram
let world: World
let worker: Server
let load: RotationLoad
let keeper: ReturnType<typeof credentialKeeper>

const urlOf = (user: string, password: string): string => {
  const url = new URL(postgres.url)
  url.username = user
  url.password = password
  url.pathname = '/atrium'
  return url.href
}

beforeAll(async () => {
  postgres = await startPostgres({ syncsToDisk: false })
  await queryPostgres(postgres.url, `create role atrium login password '${old.database}'`)
  await queryPostgres(postgres.url, 'create database atrium owner atrium template template0')
  await askForPasswords()
  objects = await startObjectStore({ S3_ACCESS_KEY_ID: 'first', S3_SECRET_ACCESS_KEY: s3.old })
  const store = { ...objects.s3Env, S3_ACCESS_KEY_ID: 'first', S3_SECRET_ACCESS_KEY: s3.old }
  const started = await startWorld('cluster', {
    router: true,
    databaseUrl: urlOf('atrium', old.database),
    env: {
      ...store,
      SESSION_SECRET: old.session,
      INTERNAL_API_KEY: old.internal,
      CREDENTIAL_KEYS: old.credential,
    },
  })
  const adminUrl = new URL(postgres.url)
  adminUrl.pathname = '/atrium'
  world = { ...started, databaseUrl: adminUrl.href }
  worker = await startServer({
    entry: fileURLToPath(new URL('../../src/entry/work.ts', import.meta.url)),
    env: {
      ...store,
      WORK_PORT: '0',
      WORK_DIR: join(folder.path, 'work'),
      REDIS_URL: world.redis?.url ?? '',
      BACKEND_URL: world.front().http,
      INTERNAL_API_KEY: old.internal,
      FFMPEG_PRESET: 'ultrafast',
    },
  })
  const api = createApi(world.front().http)
  keeper = credentialKeeper(api, await api.token('ada', ['researcher']))
  await keeper.made()
  load = await startRotationLoad(() => world.front().http, 6)
})
afterAll(async () => {
  await load?.stop()
  await worker?.stop()
  await world?.stop()
  await objects?.stop()
  await postgres?.stop()
  folder.remove()
})
const arena = arenaIn(() => world)

/** One instance after another, as a rolling update does; games and videos continue meanwhile. */
async function roll(changed: Record<string, string>): Promise<void> {
  for (const pod of world.servers) await pod.restart(changed)
}

/** Joins may be answered with 503 right after a restart; people try again. */
async function newGame(): Promise<Awaited<ReturnType<typeof arena.play>>> {
  for (let attempt = 0; ; attempt++)
    try {
      return await arena.play()
    } catch (error) {
      if (attempt === 5) throw error
    }
}

async function newVideo(): Promise<string> {
  const maker = await createVideoMaker(world.front().http)
  const video = { width: 320, height: 180, seconds: 1 }
  const videoId = await maker.upload(await makeTinyVideo(folder.path, secret(), video))
  return (await maker.ready(videoId)).playbackUrl ?? expect.fail('no path')
}

async function expectNobodyNoticed(): Promise<void> {
  expect(load.refused).toEqual([])
  console.log(`rotation: ${JSON.stringify(load.counts)}`) // Figures of the run.
}

test('SESSION_SECRET: nobody loses a session or a video, and afterwards the old one is refused', async () => {
  const api = createApi(() => world.front().http)
  const experimentId = await (await createResearcher(api)).openExperiment()
  const early = await (await createPerson(api)).join(experimentId)
  const isAccepted = async (session: typeof early) =>
    codeOf(await api.call(participantRoutes.eventsV4, { session, body: { events: [] } })) !==
    'SESSION_INVALID'
  const game = await newGame()
  const path = await newVideo()
  load.paths.add(path)
  await roll({ SESSION_SECRET: `${old.session},${next.session}` })
  await game.players.progress(3)
  await roll({ SESSION_SECRET: `${next.session},${old.session}` })
  await game.finish()
  expect(await isAccepted(early)).toBe(true)
  // What an operator waits for: everything that was signed with the old secret has ended.
  const later = await newGame()
  const late = await (await createPerson(api)).join(experimentId)
  const laterPath = await newVideo()
  load.paths.delete(path)
  load.paths.add(laterPath)
  await roll({ SESSION_SECRET: next.session })
  await later.finish()
  expect([await isAccepted(early), await isAccepted(late)]).toEqual([false, true])
  const status = async (at: string) => (await fetch(world.front().http + at)).status
  expect([await status(path), await status(laterPath)]).toEqual([403, 200])
  await expectNobodyNoticed()
})

test('INTERNAL_API_KEY: the worker reports under every step, and afterwards the old one is refused', async () => {
  await roll({ INTERNAL_API_KEY: `${old.internal},${next.internal}` })
  await newVideo()
  await worker.restart({ INTERNAL_API_KEY: next.internal })
  await newVideo()
  await roll({ INTERNAL_API_KEY: next.internal })
  await newVideo()
  const statusWith = async (key: string) => {
    const address = `${world.front().http}/api/internal/videos/vid_none/hls-progress`
    const headers = { 'content-type': 'application/json', 'x-internal-key': key }
    return (await fetch(address, { method: 'POST', headers, body: '{}' })).status
  }
  expect([await statusWith(old.internal), await statusWith(next.internal)]).toEqual([401, 400])
  await expectNobodyNoticed()
})

test('CREDENTIAL_KEYS: API keys stay readable, and afterwards nothing is encrypted with the old one', async () => {
  const game = await newGame()
  const areReadable = async () => (await keeper.list()).credentials.map(({ isKeyReadable }) => isKeyReadable)
  for (const keys of [
    `${old.credential},${next.credential}`,
    `${next.credential},${old.credential}`,
    next.credential,
  ]) {
    await roll({ CREDENTIAL_KEYS: keys })
    expect(await areReadable()).toEqual([true])
  }
  await game.finish()
  await expectNobodyNoticed()
})

test('S3_SECRET_ACCESS_KEY: videos play on and are made, and afterwards the old pair is refused', async () => {
  const game = await newGame()
  const pairs = { S3_ACCESS_KEY_ID: 'first,second', S3_SECRET_ACCESS_KEY: `${s3.old},${s3.next}` }
  const second = { S3_ACCESS_KEY_ID: 'second', S3_SECRET_ACCESS_KEY: s3.next }
  await objects.restart(pairs)
  await roll(second)
  await worker.restart(second)
  await objects.restart(second)
  await newVideo()
  await game.finish()
  await expectNobodyNoticed()
  // An instance with the old pair can no longer use the store.
  const [pod] = world.servers
  await pod?.restart({ S3_ACCESS_KEY_ID: 'first', S3_SECRET_ACCESS_KEY: s3.old })
  const maker = await createVideoMaker(pod?.http ?? '')
  await expect(maker.upload(await makeTinyVideo(folder.path, 'last', tiny))).rejects.toThrow('503')
  await pod?.restart(second)
})

test('DATABASE_URL: a second role bridges the change of the password, and afterwards the old one is refused', async () => {
  const game = await newGame()
  const between = secret()
  const admin = world.databaseUrl ?? ''
  await queryPostgres(admin, `create role atrium_next login password '${between}' in role atrium`)
  await queryPostgres(admin, 'alter role atrium_next set role = atrium')
  await roll({ DATABASE_URL: urlOf('atrium_next', between) })
  await queryPostgres(admin, `alter role atrium password '${next.database}'`)
  await roll({ DATABASE_URL: urlOf('atrium', next.database) })
  await queryPostgres(admin, 'drop role atrium_next')
  await game.finish()
  await expect(queryPostgres(urlOf('atrium', old.database), 'select 1')).rejects.toMatchObject({
    code: '28P01',
  })
  await expectNobodyNoticed()
})

test('REDIS_URL: Redis accepts both passwords meanwhile, and afterwards the old one is refused', async () => {
  const { redis } = world
  const urlWith = (password: string) => (redis?.url ?? '').replace('://', `://:${password}@`)
  const client = new Redis(redis?.url ?? '')
  const everybody = async (url: string) => {
    await roll({ REDIS_URL: url })
    await worker.restart({ REDIS_URL: url })
    await world.front().restart({ REDIS_URL: url })
  }
  const game = await newGame()
  // Redis of the tests asks for no password, so this introduces one first: `nopass` ends with `resetpass`.
  await client.call('ACL', 'SETUSER', 'default', 'resetpass', `>${old.redis}`)
  await everybody(urlWith(old.redis))
  await client.call('ACL', 'SETUSER', 'default', `>${next.redis}`)
  await everybody(urlWith(next.redis))
  await client.call('ACL', 'SETUSER', 'default', `<${old.redis}`)
  await game.players.progress(3)
  await game.finish()
  const { facts } = await gatherRedis(urlWith(old.redis))
  expect(facts).toEqual({ kind: 'unreachable', code: 'WRONGPASS' })
  client.disconnect()
  await expectNobodyNoticed()
})

const tiny = { width: 320, height: 180, seconds: 1 }

/** The database of the tests asks nobody for a password: now everybody but the superuser is asked. */
async function askForPasswords(): Promise<void> {
  const [row] = await queryPostgres(postgres.url, "select current_setting('hba_file') as path")
  const rules = ['host all postgres 127.0.0.1/32 trust', 'host all all 127.0.0.1/32 scram-sha-256']
  await queryPostgres(postgres.url, `copy (values ('${rules.join("'), ('")}')) to '${row?.path}'`)
  await queryPostgres(postgres.url, 'select pg_reload_conf()')
}
