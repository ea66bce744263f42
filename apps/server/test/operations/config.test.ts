import { describe, expect, test } from 'vitest'
import { exposureOf } from '../../src/config/config.ts'
import { configurationKeys } from '../../src/config/server-keys.ts'
import { webFolderOf } from '../../src/config/web-config.ts'
import { read, refusalOf } from './read-config.ts'

describe('[R2] a value that is not set', () => {
  test('has the documented default', () => {
    expect(read({})).toEqual({
      host: '127.0.0.1',
      port: 3000,
      metricsPort: 9464,
      publicUrl: undefined,
      pageOrigins: new Set(),
      trustProxy: false,
      logLevel: 'info',
      webDir: webFolderOf(undefined),
      dataDir: './data',
      databaseUrl: undefined,
      databasePatienceMs: 1_500,
      redisPatienceMs: 250,
      redisUrl: undefined,
      useV4: true,
      sessionSecrets: undefined,
      sessionBindIp: false,
      originRetentionMs: 30 * 24 * 60 * 60 * 1000,
      minFreeBytes: undefined,
      quotas: {
        participantBytes: 64 * 2 ** 20,
        participantFileBytes: 2 ** 30,
        experimentBytes: 20 * 2 ** 30,
      },
      prolificUrl: 'https://api.prolific.com',
      credentialKeys: undefined,
      objectStore: undefined,
      video: {
        bucket: 'atrium',
        maxBytes: 10_737_418_240,
        pathLifetimeMs: 14_400_000,
        internalKeys: undefined,
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
    ['CREDENTIAL_KEYS', 'a:hush-hush'],
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
    ['INTERNAL_API_KEY', 'sixteen letters!,hush-hush'],
    ['SESSION_SECRET', ',,'],
  ])('%s=%s', (name, value) => {
    const sentence = refusalOf({ [name]: value })
    expect(sentence).toMatch(new RegExp(`^${name} must be .+\\.$`))
    expect(sentence).not.toMatch(/\n|hush-hush/)
  })
})
