import { createQueueState, type QueueState } from './memory-state.ts'
import { type Queue, type QueueStore, soleSender } from './queue-store.ts'

/** For tests and throw-away programs: pending events are lost with the process. */
export function createMemoryQueue(): QueueStore {
  const states = new Map<string, QueueState>()
  return {
    isShared: false,
    claimSending: async () => soleSender,
    async open(key) {
      const state = states.get(key) ?? createQueueState()
      states.set(key, state)
      return queueOn(state)
    },
  }
}

const queueOn = (state: QueueState): Queue => ({
  async append(event) {
    if (state.isNews(event)) state.apply({ kind: 'append', event })
  },
  take: async (limit) => state.take(limit),
  acknowledge: async (eventIds) => state.apply({ kind: 'acknowledge', eventIds }),
  quarantine: async (eventIds, why) => state.apply({ kind: 'quarantine', eventIds, ...why }),
  quarantined: async () => state.quarantined(),
  counts: async () => state.counts(),
  close: async () => undefined,
})
