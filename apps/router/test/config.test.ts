import { ServerStartError, startRouter } from '@atrium/testkit'
import { describe, expect, test } from 'vitest'
import { readConfig, routerKeys } from '../src/config.ts'

const redis = { REDIS_URL: 'redis://r' }

describe('[R2] the configuration', () => {
  test('has the documented defaults', () => {
    expect(readConfig(redis)).toEqual({
      host: '0.0.0.0',
      port: 3001,
      metricsPort: 9464,
      redisUrl: 'redis://r',
      backends: undefined,
      namedBackends: new Map(),
      web: undefined,
      trustProxy: false,
      logLevel: 'info',
    })
    for (const { name, description } of routerKeys) expect(description, name).not.toBe('')
  })

  test('names backends and the web app by their origins', () => {
    const ROUTER_BACKENDS = ' http://10.0.0.1:3000 ,http://a:80/,, http://[::1]:3000'
    expect(readConfig({ ...redis, ROUTER_BACKENDS, ROUTER_WEB: 'http://web:8080' })).toMatchObject({
      backends: ['http://10.0.0.1:3000', 'http://a', 'http://[::1]:3000'],
      web: 'http://web:8080',
    })
  })

  test.each<[string, Record<string, string>]>([
    ['REDIS_URL', {}],
    ['REDIS_URL', { REDIS_URL: 'http://:hush-hush@r' }],
    ['ROUTER_PORT', { ...redis, ROUTER_PORT: 'x' }],
    ['METRICS_PORT', { ...redis, METRICS_PORT: '3001' }],
    ['ROUTER_BACKENDS', { ...redis, ROUTER_BACKENDS: 'http://a,b' }],
    ['ROUTER_BACKENDS', { ...redis, ROUTER_BACKENDS: 'https://a' }],
    ['ROUTER_BACKENDS', { ...redis, ROUTER_BACKENDS: 'http://a/path' }],
    ['ROUTER_WEB', { ...redis, ROUTER_WEB: 'http://u:p@a' }],
    ['TRUST_PROXY', { ...redis, TRUST_PROXY: 'banana' }],
    ['LOG_LEVEL', { ...redis, LOG_LEVEL: 'loud' }],
  ])('a bad %s is refused with a sentence that names it', (key, env) => {
    expect(() => readConfig(env)).toThrow(new RegExp(`^${key} [^\\n]+\\.$`))
    expect(() => readConfig(env)).not.toThrow(/hush-hush/)
  })
})

test('[R2] a start with an invalid configuration exits with 1 and one line', async () => {
  const refused = await startRouter({
    redisUrl: 'redis://127.0.0.1:1',
    env: { ROUTER_WEB: 'nowhere' },
  }).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(ServerStartError)
  expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/^ROUTER_WEB [^\n]+\n$/) })
})

test('[R2] it starts without Redis, prints where it listens, and has no backends', async () => {
  const router = await startRouter({ redisUrl: 'redis://127.0.0.1:1' })
  const health = await fetch(`${router.http}/health/router`)
  expect([health.status, await health.json()]).toEqual([
    200,
    { status: 'degraded', backends: 0, redis: 'down' },
  ])
  expect((await fetch(`${router.http}/api/x`)).status).toBe(503)
  const { http, metrics } = router
  expect(router.stdout()).toBe(`{"event":"listening","http":"${http}","metrics":"${metrics}"}\n`)
  expect(await router.stop()).toBe(0)
})
