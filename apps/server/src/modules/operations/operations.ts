import type { ClusterHealth, PodHealth, PodMetrics } from '@atrium/contract'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { PodDirectory } from '../../ports/pod-directory.ts'
import type { OperationsStore } from './operations.store.ts'

export interface OperationsParts {
  store: OperationsStore
  pods: PodDirectory
  clock: Clock
  podId: string
  heartbeatMs: number
  /** Open rooms and the people in them, on this instance. */
  countLoad(): Promise<{ rooms: number; participants: number }>
  onBackgroundError(error: unknown): void
}

export type Operations = ReturnType<typeof createOperations>

/** What an operator and a load balancer ask. */
export function createOperations(parts: OperationsParts) {
  const { pods, clock, podId, heartbeatMs } = parts
  let isDraining = false
  let cpu = { at: process.hrtime.bigint(), usage: process.cpuUsage() }

  async function report(): Promise<void> {
    const { rooms, participants } = await parts.countLoad()
    const now = { at: process.hrtime.bigint(), usage: process.cpuUsage() }
    const busyMicros = now.usage.user + now.usage.system - cpu.usage.user - cpu.usage.system
    const cpuUsage = busyMicros / Math.max(1, Number(now.at - cpu.at) / 1000)
    cpu = now
    await pods.report(podId, {
      activeRooms: rooms,
      totalParticipants: participants,
      lastUpdate: clock.now(),
      cpuUsage: Math.round(cpuUsage * 1000) / 1000,
      memoryUsage: process.memoryUsage.rss(),
    })
  }

  /** Without the directory nobody knows the other instances, and half an answer would look like an outage. */
  async function listPods() {
    try {
      if (!isDraining) await report()
      return await pods.list()
    } catch (error) {
      if (error instanceof AppError) throw error
      parts.onBackgroundError(error)
      throw new AppError('UNAVAILABLE', { reason: 'pod_directory' }, 'The list of instances cannot be read.')
    }
  }

  const heartbeat = setInterval(() => void report().catch(parts.onBackgroundError), heartbeatMs)
  heartbeat.unref()

  return {
    start: () => report().catch(parts.onBackgroundError),
    /** From now on not ready: a load balancer looks elsewhere while we finish. */
    drain(): void {
      isDraining = true
      clearInterval(heartbeat)
    },
    async ready(): Promise<{ status: 'ready' }> {
      if (isDraining)
        throw new AppError('UNAVAILABLE', { reason: 'draining' }, 'This instance is shutting down.')
      await parts.store.ping()
      return { status: 'ready' }
    },
    async pod(): Promise<PodHealth> {
      const load = await parts.countLoad()
      return { podId, status: isDraining ? 'draining' : 'healthy', ...load }
    },
    /**
     * A dead pod is listed until its report lapses, but is not healthy, and its rooms are counted where they are taken
     * over. A pod that drains is not healthy either, but still has its rooms.
     */
    async cluster(): Promise<ClusterHealth> {
      const listed = await listPods()
      const alive = listed.filter(({ lease }) => lease !== null)
      const sum = (pick: (metrics: PodMetrics) => number) =>
        alive.reduce((total, { metrics }) => total + (metrics ? pick(metrics) : 0), 0)
      return {
        totalPods: listed.length,
        healthyPods: alive.filter(({ lease }) => !lease?.draining).length,
        totalRooms: sum((metrics) => metrics.activeRooms),
        totalParticipants: sum((metrics) => metrics.totalParticipants),
      }
    },
  }
}
