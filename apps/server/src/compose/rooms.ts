import type { Metrics } from '../http/metrics.ts'
import type { ExperimentAccesses, Experiments } from '../modules/experiments/index.ts'
import type { AnswerFiles } from '../modules/files/index.ts'
import type { ResearcherPseudonym } from '../modules/identity/index.ts'
import { createPlacement } from '../modules/ownership/index.ts'
import {
  createLiveFeed,
  createLiveStreams,
  createRooms,
  type Rooms,
  tooMuchWork,
} from '../modules/rooms/index.ts'
import { addLiveRoutes } from '../modules/rooms/live.routes.ts'
import { addReplayRoutes } from '../modules/rooms/replay.routes.ts'
import { addRoomRoutes } from '../modules/rooms/rooms.routes.ts'
import { serveExperimentSockets } from '../modules/rooms/rooms.socket.ts'
import { serveSyncSockets } from '../modules/rooms/sync.socket.ts'
import type { Sessions } from '../modules/sessions/index.ts'
import type { Waiting } from '../modules/waiting/index.ts'
import type { HttpEdge, SocketEdge } from './outside.ts'
import type { Ports } from './ports.ts'

interface RoomPeers {
  experiments: Experiments
  sessions: Sessions
  files: AnswerFiles
  researcherPseudonym: ResearcherPseudonym
  metrics: Metrics
}

/** The rooms that this instance holds. */
export function openRooms(ports: Ports, peers: RoomPeers) {
  const { config, database, pods, bus, space, quota, clock, warn, onBackgroundError } = ports
  const { experiments, sessions, files, researcherPseudonym, metrics } = peers
  const { id: podId, heartbeatMs } = config.pod
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
  bus.subscribe('participant_completed', rooms.completed)
  bus.subscribe('room_rewritten', ({ roomId }) => rooms.readAgain(roomId))
  bus.subscribe('consent_withdrawn', (member) => void rooms.withdrawn(member))
  rooms.listen({
    emitted({ roomId, experimentId, revision, status }, news) {
      // R68
      const onward = news.flatMap(({ event, audience }) =>
        event.type === 'stage_finished' && audience.kind === 'participants' ? audience.participantIds : [],
      )
      if (onward.length > 0) sessions.roomChanged(onward).catch(onBackgroundError)
      if (status.kind === 'ended' && status.reason === tooMuchWork)
        warn({ roomId, experimentId, revision }, 'room ended: its definition asks for too much work')
    },
  })
  return {
    rooms,
    routes({ routes }: HttpEdge): void {
      const { audit } = database.operations
      addRoomRoutes(routes, { rooms, experiments, sessions, clock, audit, researcherPseudonym })
      addReplayRoutes(routes, { rooms, experiments })
    },
    sockets({ handshakes, around, onDefect }: SocketEdge): void {
      const deps = { handshakes, rooms, sessions, space, around, onDefect }
      serveExperimentSockets({ ...deps, clock, checkAnswer: files.check })
      serveSyncSockets({ ...deps, clock, onDrift: metrics.drift })
    },
    start: rooms.restoreAll,
    stop: rooms.stop,
  }
}

interface LivePeers {
  rooms: Rooms
  waiting: Waiting
  experiments: Experiments
  accesses: ExperimentAccesses
}

/** What researchers watch while it happens: the rooms of an experiment, and who waits for one. */
export function openLive(ports: Ports, { rooms, waiting, experiments, accesses }: LivePeers) {
  const { bus, clock, onBackgroundError } = ports
  const live = createLiveStreams({
    feed: createLiveFeed({ rooms, experiments, waitingFor: waiting.present, clock, onBackgroundError }),
    bus,
    clock,
  })
  return {
    routes: ({ routes }: HttpEdge): void => addLiveRoutes(routes, { live, accesses }),
    stop: live.stop,
  }
}
