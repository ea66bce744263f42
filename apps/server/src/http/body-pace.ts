import type { IncomingMessage } from 'node:http'

/** A modem is five times as fast. */
const leastBytesPerSecond = 1_024

/**
 * Calls `onSlow` when a body has hardly moved for two looks in a row. Two, because timers come first: after the process
 * was busy, what has arrived meanwhile is seen only after the first look.
 */
export function watchPace(body: IncomingMessage, lookEveryMs: number, onSlow: () => void): { stop(): void } {
  let receivedBytes = 0
  let slowLooks = 0
  const count = (chunk: Buffer): void => {
    receivedBytes += chunk.length
  }
  const timer = setInterval(() => {
    slowLooks = receivedBytes < (leastBytesPerSecond * lookEveryMs) / 1000 ? slowLooks + 1 : 0
    receivedBytes = 0
    if (slowLooks === 2) onSlow()
  }, lookEveryMs)
  body.on('data', count)
  return {
    stop() {
      clearInterval(timer)
      body.off('data', count)
    },
  }
}
