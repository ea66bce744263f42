import type { PodMetrics } from '@atrium/contract'
import type { PodDirectory } from '../../ports/pod-directory.ts'

/** One process is one pod; it knows only itself. */
export function createInProcessPods(): PodDirectory {
  const pods = new Map<string, PodMetrics>()
  return {
    async report(podId, metrics) {
      pods.set(podId, metrics)
    },
    async remove(podId) {
      pods.delete(podId)
    },
    list: async () => [...pods].map(([podId, metrics]) => ({ podId, metrics })),
  }
}
