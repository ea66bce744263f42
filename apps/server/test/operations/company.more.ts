import { patience, startRedis, startServer, startWorld, waitUntil } from '@atrium/testkit'
import { expect, onTestFinished, test } from 'vitest'

test('[R4] instances that share Redis must be configured for it and have different names', async () => {
  const world = await startWorld('cluster', { servers: 1, env: patience })
  onTestFinished(() => world.stop())
  const env = { ...world.servers[0]?.env, PORT: '0', METRICS_PORT: '0' }
  const refusal = async (more: Record<string, string>): Promise<string> =>
    await startServer({ env: { ...env, ...more } }).then(
      async (server) => {
        await server.stop()
        return 'started'
      },
      (error: { stderr: string }) => error.stderr.trim(),
    )
  // An instance that gets no processor time for seconds loses its lease, and then nobody is refused.
  const expectRefusal = async (more: Record<string, string>, sentence: RegExp): Promise<void> =>
    await waitUntil(async () => {
      const told = await refusal(more)
      return sentence.test(told) || told
    })
  await expectRefusal(
    { POD_NAME: 'another', HORIZONTAL_SCALING_ENABLED: 'false' },
    /^HORIZONTAL_SCALING_ENABLED must be true: REDIS_URL is shared with the instance “pod-0”\.$/m,
  )
  await expectRefusal({}, /^POD_NAME “pod-0” is in use by the instance at http:\/\/127\.0\.0\.1:\d+\.$/m)
  expect(await refusal({ POD_NAME: 'another' })).toBe('started')
})

test('a killed instance can restart under its name at once, even on a different port', async () => {
  const redis = await startRedis()
  onTestFinished(() => redis.stop())
  const env = { REDIS_URL: redis.url, POD_NAME: 'only' }
  const first = await startServer({ env })
  await first.kill()
  const second = await startServer({ env })
  expect(await second.stop()).toBe(0)
})
