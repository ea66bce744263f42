import type { Database } from './adapters/sql/stores.ts'
import type { Config } from './config/config.ts'
import type { Coordination } from './coordination.ts'
import type { Clock } from './kernel/clock.ts'
import type { Quota } from './kernel/quota.ts'
import type { Experiments } from './modules/experiments/index.ts'
import type { Operations } from './modules/operations/index.ts'
import { createOwnership, createPlacement } from './modules/ownership/index.ts'
import { createLiveFeed, createLiveStreams, createRooms, tooMuchWork } from './modules/rooms/index.ts'
import type { Sessions } from './modules/sessions/index.ts'
import { createWaiting } from './modules/waiting/index.ts'

export interface PlayContext {
  database: Database
  coordination: Pick<Coordination, 'bus' | 'pods' | 'queue'>
  experiments: Experiments
  sessions: Sessions
  /** Told whenever this instance has more or fewer rooms. */
  reportSoon: Operations['reportSoon']
  /** How many wait, by experiment. */
  onCounted: Parameters<typeof createWaiting>[0]['onCounted']
  quota: Quota
  clock: Clock
  warn(facts: Record<string, unknown>, message: string): void
  onBackgroundError(error: unknown): void
}

/** Where people play: rooms, which instance has them, who waits for one, and who watches. */
export function openPlay(config: Config, context: PlayContext) {
  const { database, coordination, experiments, sessions, quota, clock, warn, onBackgroundError } = context
  const { bus, pods, queue } = coordination
  const { id: podId, heartbeatMs, capacity } = config.pod
  const { ownerElsewhere } = createPlacement({ pods, clock, podId, heartbeatMs })
  const rooms = createRooms({
    store: database.rooms,
    ownerElsewhere,
    experiments,
    clock,
    podId,
    quota,
    onBackgroundError,
    warn,
  })
  const ownership = createOwnership({
    directory: pods,
    store: database.rooms,
    isAlone: !config.horizontalScaling,
    isDirectoryShared: Boolean(config.redisUrl),
    capacity,
    bus,
    rooms,
    clock,
    podId,
    onBackgroundError,
  })
  const reportSoon = () => context.reportSoon()
  rooms.listen({ taken: async () => reportSoon(), ended: reportSoon, rested: reportSoon, lost: reportSoon })
  bus.subscribe('participant_completed', rooms.completed)
  bus.subscribe('room_rewritten', ({ roomId }) => rooms.readAgain(roomId))
  bus.subscribe('consent_withdrawn', (member) => void rooms.withdrawn(member))
  rooms.listen({
    emitted({ roomId, experimentId, revision, status }) {
      if (status.kind === 'ended' && status.reason === tooMuchWork)
        warn({ roomId, experimentId, revision }, 'room ended: its definition asks for too much work')
    },
  })
  const waiting = createWaiting({
    roomStore: database.rooms,
    onCounted: context.onCounted,
    heartbeatMs,
    queue,
    pods,
    rooms,
    sessions,
    experiments,
    bus,
    clock,
    podId,
    onBackgroundError,
    warn,
  })
  const live = createLiveStreams({
    feed: createLiveFeed({ rooms, experiments, waitingFor: waiting.present, clock, onBackgroundError }),
    bus,
    clock,
  })
  return { rooms, ownership, waiting, live }
}
