import { hardStopMs } from '@atrium/program'
import { describe, expect, test } from 'vitest'
import { readConfig as readStoreConfig } from '../../packages/object-store/src/config.ts'
import { readCompose, sampleEnvironment } from './compose-file.ts'
import { deployedPrograms } from './programs.ts'

const serverEntry = 'programs/serve.mjs'
const { services, variables } = readCompose(sampleEnvironment)
const ours = Object.entries(services)
  .filter(([, service]) => service.image === 'atrium')
  .map(([name, service]) => ({ name, service, program: service.command?.[0] ?? serverEntry }))

test('the compose file runs every program of the image, and two instances', () => {
  const started = ours.map(({ program }) => program)
  expect([...new Set(started)].sort()).toEqual(Object.keys(deployedPrograms).sort())
  expect(started.filter((program) => program === serverEntry)).toHaveLength(2)
  expect(Object.keys(services)).toEqual(expect.arrayContaining(['database', 'redis']))
})

describe.each(ours)('$name', ({ name, service, program }) => {
  test('reads every variable that it gets, and accepts them all', () => {
    const { keys = [], read } = deployedPrograms[program] ?? {}
    const known = new Set(keys.map((key) => key.name))
    expect(Object.keys(service.environment).filter((variable) => !known.has(variable))).toEqual([])
    expect(() => read?.(service.environment)).not.toThrow()
  })

  test('writes to nothing but its data, gains no rights, and has time to stop', () => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    })
    expect(Number.parseInt(service.stop_grace_period ?? '', 10) * 1000).toBeGreaterThan(hardStopMs)
  })

  test('is published on this machine only, if at all', () => {
    for (const port of service.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:/)
    if (name.startsWith('backend')) expect(service.ports).toBeUndefined()
  })
})

test.each<[name: string, value: string]>([
  ['PAGE_ORIGINS', 'https://lab.example.org'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://collector.internal:4318'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'x-api-key=sample'],
  ['OTEL_TRACES_SAMPLER_ARG', '0.05'],
])('%s in `.env` reaches every program that reads it', (name, value) => {
  const filled = readCompose({ ...sampleEnvironment, [name]: value }).services
  const readers = ours.filter(({ program }) =>
    deployedPrograms[program]?.keys.some((key) => key.name === name),
  )
  expect(readers.length).toBeGreaterThanOrEqual(2)
  for (const reader of readers) expect(filled[reader.name]?.environment[name]).toBe(value)
})

test('sites whose pages may use the API may play videos from the object store', () => {
  const origins = (env: Record<string, string>) => {
    const { environment = {} } = readCompose({ ...sampleEnvironment, ...env }).services.objects ?? {}
    return readStoreConfig(environment).allowedOrigins
  }
  expect(origins({})).toEqual(['http://127.0.0.1:3001'])
  expect(origins({ PAGE_ORIGINS: 'https://a.example,https://b.example' })).toEqual([
    'http://127.0.0.1:3001',
    'https://a.example',
    'https://b.example',
  ])
})

test('the pair of the object store is replaced in three steps, and is accepted by it in each', () => {
  const [old, next] = ['the-old-secret-access-key', 'the-new-secret-access-key']
  const steps = [
    { S3_SECRET_ACCESS_KEY: old },
    { S3_SECRET_ACCESS_KEY: old, S3_SECOND_ACCESS_KEY_ID: 'next', S3_SECOND_SECRET_ACCESS_KEY: next },
    {
      S3_ACCESS_KEY_ID: 'next',
      S3_SECRET_ACCESS_KEY: next,
      S3_SECOND_ACCESS_KEY_ID: 'atrium',
      S3_SECOND_SECRET_ACCESS_KEY: old,
    },
    { S3_ACCESS_KEY_ID: 'next', S3_SECRET_ACCESS_KEY: next },
  ]
  const accepted = steps.map((step) => {
    const { objects, ...others } = readCompose({ ...sampleEnvironment, ...step }).services
    const { credentials } = readStoreConfig(objects?.environment ?? {})
    for (const name of ['backend-1', 'backend-2', 'worker']) {
      const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } =
        others[name]?.environment ?? {}
      expect(credentials).toContainEqual({ accessKeyId, secretAccessKey })
    }
    return credentials.map((pair) => pair.secretAccessKey)
  })
  expect(accepted).toEqual([[old], [old, next], [next, old], [next]])
})

test('instances differ in their names, and are reached by them', () => {
  const [first, second] = ['backend-1', 'backend-2'].map((name) => services[name]?.environment)
  expect([first?.POD_NAME, first?.POD_IP]).toEqual(['backend-1', 'backend-1'])
  expect({ ...second, POD_NAME: 'backend-1', POD_IP: 'backend-1' }).toEqual(first)
})

test('no secret has a default', () => {
  const secrets = ['POSTGRES_PASSWORD', 'SESSION_SECRET', 'INTERNAL_API_KEY', 'S3_SECRET_ACCESS_KEY']
  expect(variables.filter(({ isRequired }) => isRequired).map(({ name }) => name)).toEqual(
    expect.arrayContaining(secrets),
  )
  for (const name of secrets)
    expect(() => readCompose({ ...sampleEnvironment, [name]: '' })).toThrow(`${name} is required`)
})
