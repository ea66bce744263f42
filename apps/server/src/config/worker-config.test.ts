import { describe, expect, test } from 'vitest'
import { readWorkerConfig } from './worker-config.ts'

const env = {
  REDIS_URL: 'redis://redis.internal:6379',
  BACKEND_URL: 'https://study.example.org',
  INTERNAL_API_KEY: 'a-key-of-workers-and-server',
  S3_ENDPOINT: 'https://objects.example.org',
  S3_ACCESS_KEY_ID: 'atrium',
  S3_SECRET_ACCESS_KEY: 'the-secret-of-this-key',
}

describe('[R2] the configuration of a worker', () => {
  test('has the documented defaults', () => {
    expect(readWorkerConfig(env)).toMatchObject({
      host: '0.0.0.0',
      port: 3003,
      metricsPort: 9464,
      bucket: 'atrium',
      objectStore: { region: 'us-east-1', forcePathStyle: true },
      ffmpeg: { path: undefined, probePath: undefined, preset: 'veryfast' },
      workDir: expect.stringMatching(/atrium-work$/),
    })
  })

  test.each(Object.keys(env))('without %s is refused by name, with the reason', (name) => {
    expect(() => readWorkerConfig({ ...env, [name]: undefined })).toThrow(
      new RegExp(`^${name} is required: .+[.]$`),
    )
  })

  test('with one port for two purposes is refused', () => {
    expect(() => readWorkerConfig({ ...env, WORK_PORT: '9464' })).toThrow(
      'METRICS_PORT must differ from WORK_PORT',
    )
  })
})
