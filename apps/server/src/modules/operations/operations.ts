import type { ClusterHealth, PodHealth } from '@atrium/contract'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { PodDirectory } from '../../ports/pod-directory.ts'
import type { OperationsStore } from './operations.store.ts'
import { createWriteCheck } from './write-check.ts'

export interface OperationsParts {
  store: OperationsStore
  pods: PodDirectory
  clock: Clock
  podId: string
  heartbeatMs: number
  /** Open rooms and the people in them, on one instance or on all. */
  countLoad(podId: string | null): Promise<{ rooms: number; participants: number }>
  onBackgroundError(error: unknown): void
}

/** Many changes become one report. */
const soonMs = 1_000

export type Operations = ReturnType<typeof createOperations>

/** What an operator and a load balancer ask. */
export function createOperations(parts: OperationsParts) {
  const { pods, clock, podId, heartbeatMs } = parts
  let isDraining = false
  let cpu = { at: process.hrtime.bigint(), usage: process.cpuUsage() }

  async function report(): Promise<void> {
    const { rooms, participants } = await parts.countLoad(podId)
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

  const checkWritable = createWriteCheck(() => parts.store.checkWritable(clock.now()))

  let reporting: NodeJS.Timeout | undefined
  const heartbeat = setInterval(() => void report().catch(parts.onBackgroundError), heartbeatMs)
  heartbeat.unref()

  return {
    start: () => report().catch(parts.onBackgroundError),
    /** Something has changed that others should see before the next heartbeat. */
    reportSoon(): void {
      if (isDraining || reporting) return
      reporting = setTimeout(() => {
        reporting = undefined
        report().catch(parts.onBackgroundError)
      }, soonMs)
      reporting.unref()
    },
    /** From now on not ready: a load balancer looks elsewhere while we finish. */
    drain(): void {
      isDraining = true
      clearInterval(heartbeat)
      clearTimeout(reporting)
    },
    async ready(): Promise<{ status: 'ready' }> {
      if (isDraining)
        throw new AppError('UNAVAILABLE', { reason: 'draining' }, 'This instance is shutting down.')
      await parts.store.ping()
      await checkWritable()
      return { status: 'ready' }
    },
    async pod(): Promise<PodHealth> {
      const load = await parts.countLoad(podId)
      return { podId, status: isDraining ? 'draining' : 'healthy', ...load }
    },
    /**
     * A dead pod is listed until its report lapses, but neither it nor one that drains is healthy. Rooms are counted as
     * they are now, also those that wait to be taken over: reports may be a minute old.
     */
    async cluster(): Promise<ClusterHealth> {
      const listed = await listPods()
      const { rooms, participants } = await parts.countLoad(null)
      return {
        totalPods: listed.length,
        healthyPods: listed.filter(({ lease }) => lease && !lease.draining).length,
        totalRooms: rooms,
        totalParticipants: participants,
      }
    },
  }
}
