import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { participantRoutes } from '@atrium/contract'
import {
  createApi,
  createPerson,
  createResearcher,
  createTemporaryFolder,
  ServerStartError,
  startServer,
} from '@atrium/testkit'
import { describe, expect, test } from 'vitest'
import { configurationKeys, exposureOf, readConfig } from '../../src/config.ts'
import { webFolderOf } from '../../src/web-config.ts'

const read = (env: Record<string, string>) => readConfig(env, 'this-host')
const hosted = { HOSTED: 'true', OIDC_ISSUER: 'https://id.example.org', OIDC_AUDIENCE: 'atrium' }

function refusalOf(env: Record<string, string>): string {
  try {
    read(env)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  throw new Error('it was accepted')
}

describe('[R2] a value that is not set', () => {
  test('has the documented default', () => {
    expect(read({})).toEqual({
      host: '127.0.0.1',
      port: 3000,
      metricsPort: 9464,
      publicUrl: undefined,
      trustProxy: false,
      logLevel: 'info',
      webDir: webFolderOf(undefined),
      dataDir: './data',
      databaseUrl: undefined,
      redisUrl: undefined,
      useV4: true,
      sessionSecret: undefined,
      sessionBindIp: false,
      objectStore: undefined,
      video: {
        bucket: 'atrium',
        maxBytes: 10_737_418_240,
        pathLifetimeMs: 14_400_000,
        internalKey: undefined,
        backendUrl: undefined,
        mediaConvert: undefined,
        ffmpeg: { path: undefined, probePath: undefined, preset: 'veryfast' },
      },
      oidc: undefined,
      adminUsers: [],
      hosted: false,
      horizontalScaling: false,
      pod: {
        id: 'this-host',
        namespace: 'default',
        ip: '127.0.0.1',
        capacity: { maxRooms: 20, maxParticipants: 80 },
        heartbeatMs: 60_000,
      },
    })
  })

  test('is the same as one that is empty or blank', () => {
    const blank = Object.fromEntries(configurationKeys.map(({ name }, at) => [name, at % 2 ? '' : '  ']))
    expect(read(blank)).toEqual(read({}))
  })

  test('is described in the table from which the reference page is generated', () => {
    const defaults = Object.fromEntries(configurationKeys.map((key) => [key.name, key.default]))
    expect(defaults).toMatchObject({
      HOST: null,
      PORT: '3000',
      METRICS_PORT: '9464',
      DATA_DIR: './data',
      HOSTED: 'false',
      USE_V4_PARTICIPANT_API: 'true',
      HORIZONTAL_SCALING_ENABLED: 'false',
      MAX_ROOMS_PER_POD: '20',
      MAX_PARTICIPANTS_PER_POD: '80',
      METRICS_HEARTBEAT_INTERVAL: '60000',
    })
    expect(configurationKeys.find(({ name }) => name === 'HOST')?.fallback).toMatch(
      /127\.0\.0\.1.*0\.0\.0\.0/,
    )
    for (const { name, description } of configurationKeys) expect(description, name).not.toBe('')
    const secret = configurationKeys.filter((key) => key.secret).map(({ name }) => name)
    expect(secret).toEqual(expect.arrayContaining(['DATABASE_URL', 'REDIS_URL', 'SESSION_SECRET']))
  })
})

describe('[R2] a value that is set', () => {
  test('is parsed to its meaning', () => {
    expect(read({ USE_V4_PARTICIPANT_API: '0', HOSTED: 'FALSE', PORT: ' 8080 ' })).toMatchObject({
      useV4: false,
      hosted: false,
      port: 8080,
    })
    expect(read({ ADMIN_USERS: ' a, b@example.org ,,' }).adminUsers).toEqual(['a', 'b@example.org'])
    expect(read({ POD_NAME: 'pod-7', POD_IP: '10.1.1.7' }).pod).toMatchObject({ id: 'pod-7', ip: '10.1.1.7' })
  })

  test.each<[string, boolean | number | string]>([
    ['true', true],
    ['False', false],
    ['2', 2],
    ['loopback', 'loopback'],
    ['10.0.0.0/8, fd00::/8, 192.168.1.1', '10.0.0.0/8, fd00::/8, 192.168.1.1'],
  ])('TRUST_PROXY=%s', (raw, meant) => {
    expect(read({ TRUST_PROXY: raw }).trustProxy).toBe(meant)
  })
})

describe('[R36] the address to listen on', () => {
  const provider = { OIDC_ISSUER: 'https://id.example.org', OIDC_AUDIENCE: 'atrium' }

  test('is loopback by default with the development issuer, and every interface with a provider', () => {
    expect(read({}).host).toBe('127.0.0.1')
    expect(read({ HOST: ' ' }).host).toBe('127.0.0.1')
    expect(read(provider).host).toBe('0.0.0.0')
    expect(read({ ...provider, HOST: '127.0.0.1' }).host).toBe('127.0.0.1')
  })

  test.each([
    '127.0.0.1',
    '127.8.9.1',
    '::1',
    '0:0:0:0:0:0:0:1',
    '::ffff:127.0.0.1',
    'localhost',
    'LOCALHOST',
  ])('is used without a warning if it is loopback: %s', (HOST) => {
    expect(read({ HOST }).host).toBe(HOST)
    expect(exposureOf(read({ HOST }))).toBeUndefined()
  })

  test.each([
    '0.0.0.0',
    '::',
    '192.168.1.7',
    '::ffff:10.0.0.1',
    '128.0.0.1',
    'example.org',
    'localhost.example.org',
  ])('is used with a warning if others can reach it: %s', (HOST) => {
    expect(read({ HOST }).host).toBe(HOST)
    expect(exposureOf(read({ HOST }))).toMatch(/anybody who reaches the port can sign in as anybody/)
    expect(exposureOf(read({ ...provider, HOST }))).toBeUndefined()
  })
})

describe('[R2] a bad value is refused with one sentence that names its key', () => {
  test.each<[string, string]>([
    ['PORT', 'eighty'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['METRICS_PORT', '1e3'],
    ['PUBLIC_URL', 'example.org'],
    ['TRUST_PROXY', 'banana'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['TRUST_PROXY', '10.0.0.1,,'],
    ['LOG_LEVEL', 'loud'],
    ['DATABASE_URL', 'mysql://root:hush-hush@db/x'],
    ['REDIS_URL', 'http://:hush-hush@cache'],
    ['USE_V4_PARTICIPANT_API', 'yes'],
    ['SESSION_BIND_IP', 'maybe'],
    ['OIDC_ISSUER', 'id.example.org'],
    ['OIDC_ISSUER', 'https://[id.example.org'],
    ['OIDC_JWKS_URI', 'ftp://id.example.org'],
    ['SESSION_SECRET', 'fifteen letters'],
    ['HOSTED', '2'],
    ['HORIZONTAL_SCALING_ENABLED', 'on'],
    ['MAX_ROOMS_PER_POD', '0'],
    ['MAX_PARTICIPANTS_PER_POD', 'many'],
    ['METRICS_HEARTBEAT_INTERVAL', '1'],
    ['METRICS_HEARTBEAT_INTERVAL', '180000'],
    ['S3_ENDPOINT', 's3.example.org'],
    ['VIDEO_BUCKET', 'Films'],
    ['MAX_VIDEO_BYTES', '0'],
    ['MEDIA_URL_LIFETIME_SECONDS', '0'],
    ['TRANSCODER_ENDPOINT', 'mediaconvert'],
    ['BACKEND_URL', 'backend:3000'],
    ['FFMPEG_PRESET', 'quick'],
    ['INTERNAL_API_KEY', 'fifteen letters'],
  ])('%s=%s', (name, value) => {
    const sentence = refusalOf({ [name]: value })
    expect(sentence).toMatch(new RegExp(`^${name} must be .+\\.$`))
    expect(sentence).not.toMatch(/\n|hush-hush/)
  })
})

describe('contradictions', () => {
  const database = 'postgres://u:hush-hush@db/x'
  test.each<[string, Record<string, string>, RegExp]>([
    ['[R4] several instances without a database', { REDIS_URL: 'redis://r' }, /needs DATABASE_URL:/],
    ['[R4] several instances without Redis', { DATABASE_URL: database }, /needs REDIS_URL:/],
    ['[R4] several instances without either', {}, /needs DATABASE_URL and REDIS_URL:/],
  ])('%s', (_name, env, sentence) => {
    const refusal = refusalOf({ ...env, HORIZONTAL_SCALING_ENABLED: 'true' })
    expect(refusal).toMatch(/^HORIZONTAL_SCALING_ENABLED/)
    expect(refusal).toMatch(sentence)
    expect(refusal).not.toContain('hush-hush')
  })

  test('[V1] an object store or a transcoder with half of what it needs', () => {
    const keys = { S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'hush-hush' }
    const store = { S3_ENDPOINT: 'https://s3.example.org', ...keys }
    const role = { TRANSCODER_ROLE: 'arn:aws:iam::1:role/convert' }
    const INTERNAL_API_KEY = 'hush-hush-hush-hush'
    for (const [env, sentence] of [
      [{ S3_ENDPOINT: store.S3_ENDPOINT }, /^S3_ACCESS_KEY_ID is required with S3_ENDPOINT/],
      [{ ...store, S3_SECRET_ACCESS_KEY: '' }, /^S3_SECRET_ACCESS_KEY is required with S3_ENDPOINT/],
      [keys, /^S3_ENDPOINT is required with S3_ACCESS_KEY_ID/],
      [
        { TRANSCODER_ENDPOINT: 'https://x.example.org' },
        /^TRANSCODER_ROLE is required with TRANSCODER_ENDPOINT/,
      ],
      [{ ...role, INTERNAL_API_KEY }, /^S3_ENDPOINT is required with TRANSCODER_ROLE/],
      [{ ...role, ...store }, /^INTERNAL_API_KEY is required with TRANSCODER_ROLE/],
    ] as const) {
      const refusal = refusalOf(env)
      expect(refusal).toMatch(sentence)
      expect(refusal).not.toContain('hush-hush')
    }
    expect(read({ ...store, ...role, INTERNAL_API_KEY })).toMatchObject({
      objectStore: {
        endpoint: store.S3_ENDPOINT,
        accessKeyId: 'id',
        region: 'us-east-1',
        forcePathStyle: true,
      },
      video: { mediaConvert: { role: role.TRANSCODER_ROLE, endpoint: undefined } },
    })
  })

  test('[R6] hosted or in production without an identity provider', () => {
    const secret = { SESSION_SECRET: 'x'.repeat(32) }
    expect(refusalOf({ HOSTED: 'true', ...secret })).toMatch(/^OIDC_ISSUER is required/)
    for (const NODE_ENV of ['production', 'Production', 'PRODUCTION', ' production '])
      expect(refusalOf({ NODE_ENV, ...secret }), NODE_ENV).toMatch(/^OIDC_ISSUER is required/)
    expect(read({ NODE_ENV: 'productions' }).hosted).toBe(false)
  })

  test.each<[string, Record<string, string>]>([
    ['OIDC_ISSUER', { OIDC_ISSUER: 'http://id.example.org' }],
    ['OIDC_ISSUER', { OIDC_ISSUER: 'http://127.0.0.1.example.org/realm' }],
    ['OIDC_ISSUER', { OIDC_ISSUER: 'http://localhost@id.example.org' }],
    ['OIDC_JWKS_URI', { OIDC_JWKS_URI: 'http://id.example.org/keys' }],
  ])('[R5] hosted, with keys or an issuer that can be forged in transit: %s', (name, env) => {
    const open = { ...hosted, SESSION_SECRET: 'x'.repeat(32), ...env }
    expect(refusalOf(open)).toMatch(new RegExp(`^${name} must be an https:// address`))
    expect(refusalOf({ ...open, HOSTED: 'false', NODE_ENV: 'Production' })).toMatch(new RegExp(`^${name} `))
    expect(read({ ...open, HOSTED: 'false' }).hosted).toBe(false)
  })

  test('[R5] hosted, an issuer on this machine does not need https', () => {
    for (const host of ['127.0.0.1:8080', 'localhost', '[::1]:9000'])
      expect(
        read({ ...hosted, SESSION_SECRET: 'x'.repeat(32), OIDC_ISSUER: `http://${host}/realm` }).hosted,
      ).toBe(true)
  })

  test('[R12] hosted or in production without a session secret, or with a short one', () => {
    const { HOSTED: _hosted, ...production } = { ...hosted, NODE_ENV: 'production' }
    for (const env of [hosted, production, { ...hosted, SESSION_SECRET: 'hush-hush' }]) {
      expect(refusalOf(env)).toMatch(/^SESSION_SECRET of at least 16 characters is required/)
      expect(refusalOf(env)).not.toContain('hush-hush')
    }
    expect(read({ ...hosted, SESSION_SECRET: 'x'.repeat(16) }).hosted).toBe(true)
  })

  test('[R5] an issuer without an audience', () => {
    expect(refusalOf({ OIDC_ISSUER: 'https://id.example.org' })).toMatch(/^OIDC_AUDIENCE is required/)
  })

  test('the same port for API and metrics', () => {
    expect(refusalOf({ PORT: '4000', METRICS_PORT: '4000' })).toMatch(/^METRICS_PORT must differ from PORT/)
    expect(read({ PORT: '0', METRICS_PORT: '0' })).toMatchObject({ port: 0, metricsPort: 0 })
  })
})

// A start takes a second, and many seconds on a busy machine.
describe('a start', () => {
  const failure = async (env: Record<string, string>): Promise<ServerStartError> => {
    const error: unknown = await startServer({ env }).then(
      (server) => server.stop(),
      (reason: unknown) => reason,
    )
    if (error instanceof ServerStartError) return error
    throw new Error(`it did not refuse: ${String(error)}`)
  }

  test.each<[string, Record<string, string>]>([
    ['LOG_LEVEL', { LOG_LEVEL: 'loud' }],
    ['HORIZONTAL_SCALING_ENABLED', { HORIZONTAL_SCALING_ENABLED: 'true' }],
    ['OIDC_ISSUER', { NODE_ENV: 'production', SESSION_SECRET: 'x'.repeat(32) }],
    ['DATABASE_URL', { DATABASE_URL: 'postgres://u:hush-hush@127.0.0.1:1/x' }],
    ['DATABASE_URL', { DATABASE_URL: 'postgres://u:hush-hush@[bad/x' }],
    ['DATA_DIR', { DATA_DIR: '/dev/null/data' }],
    ['DATA_DIR', { DATA_DIR: '/dev/null' }],
    ['DATA_DIR', { DATA_DIR: '/proc/nope' }],
    ['DATA_DIR', { DATA_DIR: '/proc/nope/deeper/still' }],
    ['DATA_DIR', { DATA_DIR: '/proc/self' }],
    ['HOST', { HOST: 'no-such-host.invalid' }],
  ])('[R2] with an invalid configuration fails with one line that names %s', async (key, env) => {
    const { exitCode, stderr } = await failure({ LOG_LEVEL: 'silent', ...env })
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/^[^\n]+\n$/)
    expect(stderr).toContain(key)
    expect(stderr).not.toMatch(/hush-hush|\bat .+:\d+/)
  })

  test('[R2] on a port in use names the key', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const port = String((taken.address() as AddressInfo).port)
    expect((await failure({ PORT: port })).stderr).toMatch(
      new RegExp(`^[^\\n]*\\bPORT\\b[^\\n]*${port}[^\\n]*\\n$`),
    )
    expect((await failure({ METRICS_PORT: port })).stderr).toMatch(/^[^\n]*METRICS_PORT[^\n]*\n$/)
    taken.close()
  })

  test('[R36] on every interface warns once about who can sign in; on loopback it does not', async () => {
    const lines = async (env: Record<string, string>) => {
      const server = await startServer({ env })
      await server.stop()
      return server.stderr().split('\n').filter(Boolean)
    }
    for (const HOST of ['0.0.0.0', 'localhost'])
      expect((await lines({ HOST })).map((line) => JSON.parse(line))).toMatchObject([
        { level: 40, msg: expect.stringContaining('sign in as anybody') },
      ])
    const provider = { OIDC_ISSUER: 'https://login.example.org', OIDC_AUDIENCE: 'atrium' }
    expect(await lines({ HOST: 'localhost', ...provider })).toEqual([])
  })

  test('[R36] listens only on loopback by default, for the API and for metrics', async () => {
    const server = await startServer({ env: { HOST: '' } })
    const others = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter(({ internal, family }) => !internal && family === 'IPv4')
    for (const { port } of [new URL(server.http), new URL(server.metrics)]) {
      expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBeGreaterThan(0)
      for (const { address } of others)
        await expect(fetch(`http://${address}:${port}/metrics`)).rejects.toThrow()
    }
    await server.stop()
  })

  test('[R2] writes one JSON line to standard output, and nothing else', async () => {
    const server = await startServer({ env: { LOG_LEVEL: 'trace' } })
    const { http, metrics } = server
    expect(http).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/)
    expect(metrics).not.toBe(http)
    expect(await server.stop()).toBe(0)
    expect(server.stdout()).toBe(`{"event":"listening","http":"${http}","metrics":"${metrics}"}\n`)
  })

  test('[R12] without a secret creates one that only its user can read, and keeps it', async () => {
    const folder = createTemporaryFolder('kept')
    const server = await startServer({ dataDir: join(folder.path, 'data') })
    const api = createApi(() => server.http)
    const experimentId = await (await createResearcher(api)).openExperiment()
    const session = await (await createPerson(api)).join(experimentId)
    const file = join(server.dataDir, 'session-secret')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const secret = readFileSync(file, 'utf8')
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32)
    await server.restart()
    expect(readFileSync(file, 'utf8')).toBe(secret)
    expect((await api.call(participantRoutes.discoverV4, { session })).status).toBe(200)
    const forged = { ...session, sessionToken: `stkn_${'A'.repeat(43)}` }
    expect((await api.call(participantRoutes.discoverV4, { session: forged })).status).toBe(401)
    await server.stop()
    folder.remove()
  })
})
