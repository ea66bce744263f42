import { waitUntil } from '@atrium/testkit'
import { describe, expect, test } from 'vitest'
import { createInProcessBus } from '../../src/adapters/in-process/bus.ts'
import { createRedisBus } from '../../src/adapters/redis/bus.ts'
import type { Bus } from '../../src/ports/bus.ts'
import { describeBothAdapters, useRedis } from './both-adapters.ts'

/** Collects what a subscriber receives from now on; resolves once it is subscribed. */
async function listenTo(bus: Bus): Promise<string[][]> {
  const heard: string[][] = []
  let isHearing = false
  bus.subscribe('sessions_changed', ({ sessionIds }) => {
    if (sessionIds[0] === 'hello') isHearing = true
    else heard.push(sessionIds)
  })
  await waitUntil(async () => {
    await bus.publish('sessions_changed', { sessionIds: ['hello'] })
    return isHearing || 'it does not hear yet'
  })
  return heard
}

const hears = (heard: string[][], sessionIds: string[]) =>
  waitUntil(() => heard.some((ids) => ids.join() === sessionIds.join()) || `heard ${JSON.stringify(heard)}`)

describeBothAdapters(
  'bus',
  {
    inProcess: createInProcessBus,
    redis: async (connect) => createRedisBus(await connect(), await connect()),
  },
  (create) => {
    test('every subscriber receives each message once, unchanged and in order', async () => {
      const bus = await create()
      const heard = [await listenTo(bus), await listenTo(bus)]
      const strange = ['a', 'ü "quoted" \\ 👋', '']
      await bus.publish('sessions_changed', { sessionIds: strange })
      await bus.publish('sessions_changed', { sessionIds: [] })
      await bus.publish('sessions_changed', { sessionIds: ['last'] })
      for (const messages of heard) {
        await hears(messages, ['last'])
        expect(messages).toEqual([strange, [], ['last']])
      }
      await bus.close()
    })

    test('a message without subscribers is not an error', async () => {
      const bus = await create()
      await bus.publish('sessions_changed', { sessionIds: ['x'] })
      await bus.close()
    })

    test('a closed bus receives nothing', async () => {
      const bus = await create()
      const heard = await listenTo(bus)
      await bus.close()
      await bus.publish('sessions_changed', { sessionIds: ['late'] }).catch(() => undefined)
      expect(heard).toEqual([])
    })
  },
)

describe('bus over Redis', () => {
  const redis = useRedis()
  const instance = async () => createRedisBus(await redis.connect(), await redis.connect())

  test('[R15] instances receive each other’s messages, even after a Redis outage', async () => {
    const [one, two] = [await instance(), await instance()]
    const heard = await listenTo(two)
    await one.publish('sessions_changed', { sessionIds: ['before'] })
    await hears(heard, ['before'])
    await redis.program().kill()
    await expect(one.publish('sessions_changed', { sessionIds: ['lost'] })).rejects.toThrow()
    await redis.program().restart()
    await waitUntil(async () => {
      await one.publish('sessions_changed', { sessionIds: ['after'] })
      return heard.some(([id]) => id === 'after') || 'it does not hear again yet'
    })
  })

  test('malformed messages from others are ignored', async () => {
    const bus = await instance()
    const heard = await listenTo(bus)
    const stranger = await redis.connect()
    for (const rubbish of ['', '{', 'null', '7'])
      await stranger.publish('atrium:bus:sessions_changed', rubbish)
    await bus.publish('sessions_changed', { sessionIds: ['ours'] })
    await hears(heard, ['ours'])
    expect(heard).toEqual([['ours']])
  })
})
