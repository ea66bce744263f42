import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import {
  createTemporaryFolder,
  createTestDatabase,
  type ObjectStoreProgram,
  type Redis,
  runnableOf,
  type Server,
  startObjectStore,
  startRedis,
  startServer,
} from '@atrium/testkit'
import Sqlite from 'better-sqlite3'
import { Redis as RedisClient } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { gatherRedis } from '../../src/doctor/gather/redis.ts'
import { queryPostgres } from '../stores/engines.ts'
import { makeFfmpeg, newSecret, startProxy, troubleIn as troubleWith } from './doctor-world.ts'

const temporary = createTemporaryFolder('doctor')
afterAll(() => temporary.remove())

/** The real ffmpeg takes half a second of CPU; the run of the command below has it. */
let quickFfmpeg = ''
beforeAll(async () => {
  quickFfmpeg = await makeFfmpeg(temporary.path, '7.0', ['libx264', 'aac'])
})
const troubleIn = (env: Record<string, string>) =>
  troubleWith({ FFMPEG_PATH: quickFfmpeg, FFPROBE_PATH: quickFfmpeg, ...env })

describe('[R50] the doctor, on one machine', () => {
  let server: Server
  beforeAll(async () => {
    server = await startServer({ env: { SESSION_SECRET: newSecret(), TRUST_PROXY: 'false' } })
  })
  afterAll(() => server?.stop())

  const emptyFolder = (name: string) => join(temporary.path, name)

  test('finds nothing wrong with a sound one, and leaves nothing behind', async () => {
    expect(await troubleIn({ DATA_DIR: emptyFolder('not/there') })).toEqual([])
    expect(existsSync(emptyFolder('not'))).toBe(false)
    const before = readdirSync(server.dataDir)
    const running = { DATA_DIR: server.dataDir, PORT: new URL(server.http).port, PUBLIC_URL: server.http }
    expect(await troubleIn({ ...running, METRICS_PORT: new URL(server.metrics).port })).toEqual([])
    expect(readdirSync(server.dataDir)).toEqual(before)
  })

  test('prints its findings as JSON, and exits with 1 if there is a problem', async () => {
    const entry = runnableOf(fileURLToPath(new URL('../../src/entry/doctor.ts', import.meta.url)))
    const env = { PATH: process.env.PATH, PORT: '0', METRICS_PORT: '0', DATA_DIR: emptyFolder('data') }
    const run = (more: Record<string, string>, ...args: string[]) =>
      promisify(execFile)(process.execPath, [entry, ...args], { env: { ...env, ...more } })
    const failed = await run({ SESSION_SECRET: 'hush-hush' }, '--json').catch((error: unknown) => error)
    expect(failed).toMatchObject({ code: 1, stdout: expect.not.stringContaining('hush-hush') })
    const { ok, findings } = JSON.parse((failed as { stdout: string }).stdout)
    expect([ok, findings.filter((finding: { level: string }) => finding.level === 'problem').length]).toEqual(
      [false, 2],
    )
  })

  test('names a folder that cannot be written, or is none', async () => {
    const file = emptyFolder('a file')
    writeFileSync(file, '')
    expect(await troubleIn({ DATA_DIR: join(file, 'data') })).toEqual(['DATA_DIR: problem'])
    expect(await troubleIn({ DATA_DIR: file })).toEqual(['DATA_DIR: problem'])
    // Not even root can create a file there.
    expect(await troubleIn({ DATA_DIR: '/proc' })).toContain('DATA_DIR: problem')
  })

  test('names an old ffmpeg, one without an encoder, and a path without one', async () => {
    const withFfmpeg = async (path: string) =>
      await troubleIn({ DATA_DIR: emptyFolder('data'), FFMPEG_PATH: path, FFPROBE_PATH: path })
    const all = ['libx264', 'aac']
    expect(await withFfmpeg(await makeFfmpeg(temporary.path, '6.1', all))).toEqual([])
    expect(await withFfmpeg(await makeFfmpeg(temporary.path, '4.2.7', all))).toEqual(['ffmpeg: problem'])
    expect(await withFfmpeg(await makeFfmpeg(temporary.path, '6.1', ['aac']))).toEqual(['encoder: problem'])
    expect(await withFfmpeg(emptyFolder('nothing'))).toEqual(['ffmpeg: problem'])
  })

  test('names secrets that are short, known, equal, or readable by others', async () => {
    const DATA_DIR = emptyFolder('data')
    const [one, other] = [newSecret(), newSecret()]
    const trouble = (env: Record<string, string>) => troubleIn({ DATA_DIR, ...env })
    expect(await trouble({ SESSION_SECRET: 'short-one' })).toEqual([
      'SESSION_SECRET: problem',
      'configuration: problem',
    ])
    expect(await trouble({ INTERNAL_API_KEY: 'another-16-random-characters' })).toEqual([
      'INTERNAL_API_KEY: problem',
    ])
    expect(await trouble({ SESSION_SECRET: one, INTERNAL_API_KEY: one })).toEqual(['secrets: problem'])
    expect(await trouble({ SESSION_SECRET: one, INTERNAL_API_KEY: other })).toEqual([])
    const shared = emptyFolder('shared')
    mkdirSync(shared)
    writeFileSync(join(shared, 'session-secret'), one)
    chmodSync(join(shared, 'session-secret'), 0o644)
    expect(await troubleIn({ DATA_DIR: shared })).toEqual(['secrets: problem'])
  })

  test('shows no password of an address, and judges all secrets although one is badly encoded', async () => {
    const DATA_DIR = emptyFolder('data')
    const nobody = 'u:geheim@127.0.0.1:9'
    const identity = { OIDC_AUDIENCE: 'atrium', HOST: '127.0.0.1' }
    expect(await troubleIn({ DATA_DIR, ...identity, OIDC_ISSUER: `http://${nobody}` })).toEqual([
      'identity: problem',
    ])
    expect(await troubleIn({ DATA_DIR, OIDC_ISSUER: `ftp://${nobody}` })).toEqual(['configuration: problem'])
    const badly = 'u:100%ffgeheim@127.0.0.1:9'
    const urls = {
      DATABASE_URL: `postgres://${badly}/none`,
      REDIS_URL: `redis://${badly.replace('100', '200')}`,
    }
    const known = { SESSION_SECRET: 'at-least-16-random-characters' }
    expect(await troubleIn({ DATA_DIR, ...urls, ...known })).toEqual([
      'Redis: problem',
      'SESSION_SECRET: problem',
      'database: problem',
    ])
  })

  test('names a port that another program has', async () => {
    const other = createServer((socket) => socket.end('hello')).listen(0, '127.0.0.1')
    await once(other, 'listening')
    const PORT = String((other.address() as AddressInfo).port)
    expect(await troubleIn({ DATA_DIR: emptyFolder('data'), PORT })).toEqual(['PORT: problem'])
    other.close()
  })

  test('names a database that is damaged, unfinished, or newer than the server', async () => {
    const DATA_DIR = emptyFolder('old')
    mkdirSync(DATA_DIR)
    const database = new Sqlite(join(DATA_DIR, 'atrium.db'))
    database.exec(
      "create table kysely_migration (name text); insert into kysely_migration values ('0001_ground_floor')",
    )
    expect(await troubleIn({ DATA_DIR })).toEqual(['migrations: problem'])
    database.exec("insert into kysely_migration values ('9999_later')")
    database.close()
    expect(await troubleIn({ DATA_DIR })).toEqual(['migrations: problem'])
    writeFileSync(
      join(DATA_DIR, 'atrium.db'),
      'not a database, but long enough to be read as one'.repeat(100),
    )
    expect(await troubleIn({ DATA_DIR })).toEqual(['database: problem'])
  })

  test('names a proxy that is not trusted, and a client that is', async () => {
    const { dataDir, http } = server
    const proxy = await startProxy(http)
    const PORT = new URL(http).port
    const METRICS_PORT = new URL(server.metrics).port
    const trouble = (env: Record<string, string>) =>
      troubleIn({ DATA_DIR: dataDir, PORT, METRICS_PORT, ...env })
    expect(await trouble({ PUBLIC_URL: proxy.url, TRUST_PROXY: 'false' })).toEqual(['proxy headers: problem'])
    await server.restart({ TRUST_PROXY: '1' })
    expect(await trouble({ PUBLIC_URL: proxy.url, TRUST_PROXY: '1' })).toEqual([])
    expect(await trouble({ PUBLIC_URL: http, TRUST_PROXY: '1' })).toEqual(['proxy headers: problem'])
    proxy.stop()
    expect(await trouble({ PUBLIC_URL: proxy.url })).toEqual(['proxy: problem'])
  })
})

describe('[R50] the doctor, on several machines', () => {
  let redis: Redis
  let objects: ObjectStoreProgram
  let pod: Server
  let sound: Record<string, string>
  beforeAll(async () => {
    const secret = newSecret()
    ;[redis, objects] = await Promise.all([startRedis(), startObjectStore({ S3_SECRET_ACCESS_KEY: secret })])
    sound = {
      HORIZONTAL_SCALING_ENABLED: 'true',
      DATABASE_URL: await createTestDatabase(),
      REDIS_URL: redis.url,
      SESSION_SECRET: newSecret(),
      ...objects.s3Env,
      S3_SECRET_ACCESS_KEY: secret,
    }
    pod = await startServer({ env: sound })
    const { port } = new URL(pod.http)
    sound = { ...sound, PORT: port, METRICS_PORT: new URL(pod.metrics).port, PUBLIC_URL: pod.http }
    await objects.restart({ OBJECTS_ORIGINS: pod.http })
  })
  afterAll(async () => {
    await pod?.stop()
    await Promise.all([objects?.stop(), redis?.stop()])
  })
  const trouble = async (env: Record<string, string> = {}) =>
    (await troubleIn({ ...sound, ...env })).filter((finding) => !finding.startsWith('TMPDIR'))

  test('finds nothing wrong with a sound one', async () => {
    expect(await trouble()).toEqual([])
  })

  test('names an object store that is away, has another secret or bucket, or does not let pages upload', async () => {
    expect(await trouble({ S3_ENDPOINT: 'http://127.0.0.1:9' })).toEqual(['object store: problem'])
    expect(await trouble({ S3_SECRET_ACCESS_KEY: newSecret() })).toEqual(['object store: problem'])
    expect(await trouble({ VIDEO_BUCKET: 'another' })).toEqual(['object store: problem'])
    expect(await trouble({ PUBLIC_URL: 'http://127.0.0.1:9' })).toEqual([
      'object store CORS: problem',
      'proxy: problem',
    ])
  })

  test('names a Redis that may forget, wants a password, or is away', async () => {
    const client = new RedisClient(redis.url)
    await client.config('SET', 'maxmemory', '100mb', 'maxmemory-policy', 'allkeys-lru')
    expect(await trouble()).toEqual(['Redis eviction: problem'])
    await client.config('SET', 'maxmemory-policy', 'noeviction', 'requirepass', newSecret())
    expect(await trouble()).toEqual(['Redis: problem'])
    const wrong = redis.url.replace('redis://', `redis://:${newSecret()}@`)
    expect(await trouble({ REDIS_URL: wrong })).toEqual(['Redis: problem'])
    expect((await gatherRedis(wrong)).facts).toEqual({ kind: 'unreachable', code: 'WRONGPASS' })
    expect((await gatherRedis(redis.url)).facts).toEqual({ kind: 'unreachable', code: 'NOAUTH' })
    client.disconnect()
    await redis.kill()
    expect(await trouble()).toEqual(['Redis: problem'])
    await redis.restart()
  })

  test('names a database that is away, refuses the password, lacks rights, or is unfinished', async () => {
    const { DATABASE_URL: url = '' } = sound
    const changed = (change: (url: URL) => void) => {
      const other = new URL(url)
      change(other)
      return trouble({ DATABASE_URL: other.href })
    }
    expect(await changed((other) => (other.port = '9'))).toEqual(['database: problem'])
    expect(await changed((other) => (other.pathname = '/none'))).toEqual(['database: problem'])
    const role = `doctor_${process.pid}`
    const password = newSecret()
    await queryPostgres(url, `create role ${role} login password '${password}'`)
    await askForPasswordOf(role, url)
    const as = (given: string) =>
      changed((other) => {
        other.username = role
        other.password = given
      })
    expect(await as(newSecret())).toEqual(['database: problem'])
    expect(await as(password)).toContain('database rights: problem')
    await queryPostgres(url, `drop role ${role}`)
    await queryPostgres(url, "delete from atrium_migration where name like '0018%'")
    expect(await trouble()).toEqual(['migrations: problem'])
    await queryPostgres(
      url,
      "insert into atrium_migration values ('0018_pilots', now()), ('9999_later', now())",
    )
    expect(await trouble()).toEqual(['migrations: warning'])
  })
})

/** The database of the tests asks nobody for a password. Only this role is asked from now on. */
async function askForPasswordOf(role: string, url: string): Promise<void> {
  const rules = [`host all ${role} 127.0.0.1/32 scram-sha-256`, 'host all all 127.0.0.1/32 trust']
  const [row] = await queryPostgres(url, "select current_setting('hba_file') as path")
  await queryPostgres(url, `copy (values ('${rules.join("'), ('")}')) to '${row?.path}'`)
  await queryPostgres(url, 'select pg_reload_conf()')
}
