import type { Redis } from 'ioredis'
import type { Bus, BusMessages } from '../../ports/bus.ts'

const channelOf = (topic: keyof BusMessages): string => `atrium:bus:${topic}`

/** Redis' pub/sub. A connection that subscribes can do nothing else, hence the second one. */
export function createRedisBus(publisher: Redis, subscriber: Redis): Bus {
  const listeners = new Map<string, ((message: never) => void)[]>()
  subscriber.on('message', (channel, text) => {
    const message = parse(text)
    if (message === undefined) return
    for (const listener of listeners.get(channel) ?? []) listener(message as never)
  })
  return {
    async publish(topic, message) {
      await publisher.publish(channelOf(topic), JSON.stringify(message))
    },
    subscribe(topic, listener) {
      const channel = channelOf(topic)
      listeners.set(channel, [...(listeners.get(channel) ?? []), listener as (message: never) => void])
      // ioredis subscribes again by itself after a reconnect, but only to what succeeded once.
      const subscribe = () => void subscriber.subscribe(channel).catch(() => undefined)
      if (subscriber.status === 'ready') subscribe()
      subscriber.on('ready', subscribe)
    },
    async close() {
      listeners.clear()
      subscriber.disconnect()
    },
  }
}

/** Others may publish into the same Redis; what is not ours is not heard, rather than ending the process. */
function parse(text: string): object | undefined {
  try {
    const message: unknown = JSON.parse(text)
    return typeof message === 'object' && message !== null ? message : undefined
  } catch {
    return undefined
  }
}
