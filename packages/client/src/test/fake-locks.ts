import type { Locks } from '../queue/sender-lock.ts'

/** `navigator.locks` for exclusive locks, stealing and signals, after the Web Locks specification. Node has none yet. */
export function createFakeLocks(): Locks {
  const holders = new Map<string, { reject(error: Error): void; id: symbol }>()
  const queues = new Map<string, (() => void)[]>()

  const grantNext = (name: string): void => queues.get(name)?.shift()?.()

  function grant(name: string, held: () => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      const id = Symbol()
      holders.set(name, { reject, id })
      held().finally(() => {
        if (holders.get(name)?.id === id) {
          holders.delete(name)
          grantNext(name)
        }
        resolve()
      })
    })
  }

  return {
    request(name, options, held) {
      const holder = holders.get(name)
      if ('steal' in options) {
        holder?.reject(new DOMException('The lock was stolen.', 'AbortError'))
        return grant(name, held)
      }
      if (!holder) return grant(name, held)
      return new Promise((resolve, reject) => {
        const queue = queues.get(name) ?? []
        queues.set(name, queue)
        const take = () => void grant(name, held).then(resolve, reject)
        queue.push(take)
        options.signal.addEventListener('abort', () => {
          const index = queue.indexOf(take)
          if (index >= 0) queue.splice(index, 1)
          reject(new DOMException('Called off.', 'AbortError'))
        })
      })
    },
  }
}
