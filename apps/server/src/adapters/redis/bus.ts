import { busChannel } from '@atrium/coordination'
import type { Redis } from 'ioredis'
import type { Bus } from '../../ports/bus.ts'

/** Redis pub/sub. A connection that has subscribed can do nothing else, hence the second one. */
export function createRedisBus(publisher: Redis, subscriber: Redis): Bus {
  const listeners = new Map<string, ((message: never) => void)[]>()
  const subscribeTo = (...channels: string[]): void => {
    if (channels.length > 0) subscriber.subscribe(...channels).catch(() => undefined)
  }
  // After a reconnect, ioredis only restores subscriptions that succeeded once.
  subscriber.on('ready', () => subscribeTo(...listeners.keys()))
  subscriber.on('message', (channel, text) => {
    const message = parse(text)
    if (message === undefined) return
    for (const listener of listeners.get(channel) ?? []) listener(message as never)
  })
  return {
    async publish(topic, message) {
      await publisher.publish(busChannel(topic), JSON.stringify(message))
    },
    subscribe(topic, listener) {
      const channel = busChannel(topic)
      listeners.set(channel, [...(listeners.get(channel) ?? []), listener as (message: never) => void])
      if (subscriber.status === 'ready') subscribeTo(channel)
    },
    async close() {
      listeners.clear()
      subscriber.disconnect()
    },
  }
}

/** Others may publish to the same Redis. What is not ours is ignored instead of crashing the process. */
function parse(text: string): object | undefined {
  try {
    const message: unknown = JSON.parse(text)
    return typeof message === 'object' && message !== null ? message : undefined
  } catch {
    return undefined
  }
}
