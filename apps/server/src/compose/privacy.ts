import type { EventExports } from '../modules/events/index.ts'
import type { ExperimentAccesses, Experiments } from '../modules/experiments/index.ts'
import type { AnswerFiles } from '../modules/files/index.ts'
import { createPrivacy } from '../modules/privacy/index.ts'
import { addPrivacyRoutes } from '../modules/privacy/privacy.routes.ts'
import type { Rooms } from '../modules/rooms/index.ts'
import type { Sessions } from '../modules/sessions/index.ts'
import type { HttpEdge } from './outside.ts'
import type { Ports } from './ports.ts'

interface PrivacyPeers {
  accesses: ExperimentAccesses
  experiments: Experiments
  eventExports: EventExports
  sessions: Sessions
  rooms: Rooms
  files: AnswerFiles
}

/** What is known of one person, and its removal. */
export function openPrivacy(ports: Ports, peers: PrivacyPeers) {
  const { database, queue, bus, clock } = ports
  const { accesses, experiments, eventExports, sessions, rooms, files } = peers
  const privacy = createPrivacy({
    store: database.privacy,
    experiments,
    sessions,
    rooms,
    queue,
    files,
    bus,
    clock,
  })
  return {
    privacy,
    routes: ({ routes }: HttpEdge): void => addPrivacyRoutes(routes, { privacy, accesses, eventExports }),
    sweep: privacy.sweep,
  }
}
