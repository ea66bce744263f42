import type { ClusterHealth, InstanceMetrics, PodHealth, SystemInstances } from '@atrium/contract'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import { coalesced } from '../../kernel/coalesce.ts'
import type { Space, SpaceLevel } from '../../kernel/space.ts'
import type { PodDirectory } from '../../ports/pod-directory.ts'
import { createInstances, type InstanceDeps } from './instances.ts'
import type { OperationsStore } from './operations.store.ts'
import { createWriteCheck } from './write-check.ts'

export interface OperationsDeps {
  store: OperationsStore
  space: Pick<Space, 'level'>
  pods: PodDirectory
  clock: Clock
  podId: string
  heartbeatMs: number
  /** The rooms held by this instance and the people with a seat in them. */
  load(): { rooms: number; participants: number }
  /** The same for all instances, including rooms about to be taken over. */
  countAll(): Promise<{ rooms: number; participants: number }>
  sample: InstanceDeps['sample']
  onBackgroundError(error: unknown): void
}

type Places = NonNullable<InstanceMetrics['places']>

export interface Operations {
  start(): Promise<unknown>
  /** Something has changed that others should see before the next heartbeat. */
  reportSoon(): void
  /** No longer ready: load balancers look elsewhere while we finish. */
  drain(): void
  /** Still ready with little space left: people finish here, and nowhere else. */
  ready(): Promise<{ status: 'ready'; space: SpaceLevel }>
  pod(): Promise<PodHealth>
  /**
   * A dead instance is listed until its report expires, but neither dead nor draining instances are healthy. Rooms are counted
   * now, including those waiting to be taken over: reports may be a minute old.
   */
  cluster(): Promise<ClusterHealth>
  instances(): Promise<SystemInstances>
  /** As matching sees them. If they cannot be read, the other figures are still shown. */
  places(): Promise<Places | null>
}

/** Answers to operators and load balancers. */
export function createOperations(deps: OperationsDeps): Operations {
  const { pods, clock, podId, heartbeatMs } = deps
  let isDraining = false
  const cpuUsage = createCpuMeter()

  async function report(): Promise<void> {
    const { rooms, participants } = deps.load()
    await pods.report(podId, {
      activeRooms: rooms,
      totalParticipants: participants,
      lastUpdate: clock.now(),
      cpuUsage: cpuUsage(),
      memoryUsage: process.memoryUsage.rss(),
    })
  }

  /** Without the directory we do not know the other instances, and half an answer would look like an outage. */
  async function listPods() {
    try {
      if (!isDraining) await report()
      return await pods.list()
    } catch (error) {
      if (error instanceof AppError) throw error
      deps.onBackgroundError(error)
      throw new AppError('UNAVAILABLE', { reason: 'pod_directory' }, 'The list of instances cannot be read.')
    }
  }

  const checkWritable = createWriteCheck(() => deps.store.checkWritable(clock.now()))

  /** Changes during a report are covered by the next one. */
  const reportAgain = coalesced(report)
  const { record, describe } = createInstances({ ...deps, checkWritable })
  const recordAgain = coalesced(record)
  const beat = () => Promise.all([report(), recordAgain()]).catch(deps.onBackgroundError)
  const heartbeat = setInterval(() => void beat(), heartbeatMs)
  heartbeat.unref()

  return {
    start: beat,
    reportSoon() {
      if (!isDraining) reportAgain().catch(deps.onBackgroundError)
    },
    drain() {
      isDraining = true
      clearInterval(heartbeat)
    },
    async ready() {
      if (isDraining)
        throw new AppError('UNAVAILABLE', { reason: 'draining' }, 'This instance is shutting down.')
      await deps.store.ping()
      await checkWritable()
      return { status: 'ready', space: deps.space.level() }
    },
    async pod() {
      return { podId, status: isDraining ? 'draining' : 'healthy', ...deps.load() }
    },
    async cluster() {
      const listed = await listPods()
      const { rooms, participants } = await deps.countAll()
      return {
        totalPods: listed.length,
        healthyPods: listed.filter(({ lease }) => lease && !lease.draining).length,
        totalRooms: rooms,
        totalParticipants: participants,
      }
    },
    instances: async () => await describe(await listPods()),
    async places() {
      const listed = await pods.list().catch(() => [])
      const here = listed.find((pod) => pod.podId === podId)
      if (!here?.lease) return null
      const { rooms, participants, lease } = here
      return { rooms, maxRooms: lease.maxRooms, participants, maxParticipants: lease.maxParticipants }
    },
  }
}

/** The share of one core that was used since it was last asked. */
function createCpuMeter(): () => number {
  const measure = () => ({ at: process.hrtime.bigint(), usage: process.cpuUsage() })
  let last = measure()
  return () => {
    const now = measure()
    const busyMicros = now.usage.user + now.usage.system - last.usage.user - last.usage.system
    const share = busyMicros / Math.max(1, Number(now.at - last.at) / 1000)
    last = now
    return Math.round(share * 1000) / 1000
  }
}
