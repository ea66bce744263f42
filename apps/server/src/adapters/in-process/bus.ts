import { EventEmitter } from 'node:events'
import type { Bus } from '../../ports/bus.ts'

export function createInProcessBus(): Bus {
  const emitter = new EventEmitter()
  return {
    async publish(topic, message) {
      emitter.emit(topic, message)
    },
    subscribe: (topic, listener) => void emitter.on(topic, listener),
    async close() {
      emitter.removeAllListeners()
    },
  }
}
