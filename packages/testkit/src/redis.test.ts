import { Redis as Client } from 'ioredis'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Redis, startRedis } from './redis.ts'

let redis: Redis
beforeAll(async () => {
  redis = await startRedis()
})
afterAll(() => redis.stop())

async function withClient<T>(use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(redis.url, { retryStrategy: () => null, lazyConnect: true })
  client.on('error', () => undefined) // The command rejects too.
  try {
    await client.connect()
    return await use(client)
  } finally {
    client.disconnect()
  }
}

test('keeps values, but nothing on disk', async () => {
  await withClient(async (client) => {
    await client.set('key', 'value')
    expect(await client.get('key')).toBe('value')
    expect(await client.config('GET', 'save')).toEqual(['save', ''])
  })
})

test('restarts at the same address, empty, also after a kill', async () => {
  await withClient((client) => client.set('key', 'value'))
  await redis.restart()
  expect(await withClient((client) => client.get('key'))).toBeNull()
  await redis.kill()
  await expect(withClient((client) => client.ping())).rejects.toThrow()
  await redis.restart()
  expect(await withClient((client) => client.ping())).toBe('PONG')
})

test('an open connection gets no response while paused, but does after resume', async () => {
  const another = await startRedis()
  onTestFinished(() => another.stop())
  const other = new Client(another.url)
  onTestFinished(() => other.disconnect())
  await withClient(async (client) => {
    redis.pause()
    let answered = false
    const answer = client.ping().then(() => {
      answered = true
    })
    // Others have been answered long before.
    for (let time = 0; time < 200; time++) await other.ping()
    expect(answered).toBe(false)
    redis.resume()
    await answer
  })
})
