import type { InstanceStatus, MetricSample, SystemInstance, SystemInstances } from '@atrium/contract'
import type { Clock } from '../../kernel/clock.ts'
import type { PodDirectory, PodEntry } from '../../ports/pod-directory.ts'

export interface InstanceDeps {
  pods: PodDirectory
  clock: Clock
  podId: string
  heartbeatMs: number
  /** The contract's metrics of this instance, now. */
  sample(): Promise<Omit<MetricSample, 'at' | 'memoryBytes'>>
  checkWritable(): Promise<void>
}

/** An hour at the usual heartbeat. */
const keptSamples = 60
/** One report may be lost, or a busy machine may hold it up, without anybody being worried. */
const lateAfterHeartbeats = 2.5
const neverLateBeforeMs = 10_000

/** What administrators see of the instances. Each publishes its own recent metrics, so any of them can answer for all. */
export function createInstances({ pods, clock, podId, heartbeatMs, ...deps }: InstanceDeps) {
  const lateAfterMs = Math.max(neverLateBeforeMs, lateAfterHeartbeats * heartbeatMs)
  const runningSince = clock.now()
  const samples: MetricSample[] = []

  function statusOf({ lease, metrics }: PodEntry, canWrite: boolean, now: number): InstanceStatus {
    if (!lease) return 'lost'
    if (lease.draining) return 'draining'
    const isLate = !metrics || now - metrics.lastUpdate > lateAfterMs
    return isLate || !canWrite ? 'degraded' : 'healthy'
  }

  return {
    async record(): Promise<void> {
      const canWrite = await deps.checkWritable().then(
        () => true,
        () => false,
      )
      samples.push({ at: clock.now(), memoryBytes: process.memoryUsage.rss(), ...(await deps.sample()) })
      samples.splice(0, samples.length - keptSamples)
      await pods.publishHistory(podId, { runningSince, canWrite, samples: [...samples] })
    },
    async describe(listed: readonly PodEntry[]): Promise<SystemInstances> {
      const histories = await pods.histories(listed.map((pod) => pod.podId))
      const now = clock.now()
      const since = (at: number | undefined) => (at === undefined ? null : Math.max(0, now - at))
      const instances = listed.map((pod): SystemInstance => {
        const { lease, metrics, rooms, participants } = pod
        const history = histories.get(pod.podId)
        return {
          podId: pod.podId,
          status: statusOf(pod, history?.canWrite ?? true, now),
          rooms,
          maxRooms: lease?.maxRooms ?? null,
          participants,
          maxParticipants: lease?.maxParticipants ?? null,
          memoryBytes: metrics?.memoryUsage ?? null,
          cpuShare: metrics?.cpuUsage ?? null,
          leaseAgeMs: since(lease?.renewedAt),
          reportAgeMs: since(metrics?.lastUpdate),
          runningSince: history?.runningSince ?? null,
          samples: history?.samples ?? [],
        }
      })
      const byId = (one: SystemInstance, other: SystemInstance) => (one.podId < other.podId ? -1 : 1)
      return { at: now, sampleEveryMs: heartbeatMs, instances: instances.toSorted(byId) }
    },
  }
}
