import { setTimeout as delay } from 'node:timers/promises'
import type { StoreCall } from '../sql/stores.ts'
import { type StoreThreadOptions, startStoreThread } from './store-thread.ts'

const restMs = 500

interface KeptThread {
  call: StoreCall
  close(): Promise<void>
}

/**
 * When a thread ends (it may run out of memory), the calls under way are refused, and so retried by their callers.
 * Everything else continues in a new thread.
 */
export async function keepThread({
  onError,
  ...options
}: StoreThreadOptions & { onError(error: unknown): void }): Promise<KeptThread> {
  let thread = await startStoreThread(options)
  let isClosing = false

  async function restart(): Promise<void> {
    try {
      thread = await startStoreThread(options)
      if (isClosing) await thread.close()
    } catch (error) {
      onError(error)
      await delay(restMs)
    }
  }

  async function keepRunning(): Promise<void> {
    while (!isClosing) {
      const error = await thread.ended
      if (isClosing) return
      onError(error ?? new Error('the thread of the database ended'))
      await restart()
    }
  }

  const running = keepRunning()
  return {
    call: (store, method, args) => thread.call(store, method, args),
    async close() {
      isClosing = true
      await thread.close()
      await running
    },
  }
}
