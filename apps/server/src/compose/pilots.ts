import { type Credentials, createPilots } from '../modules/agents/index.ts'
import { addPilotRoutes } from '../modules/agents/pilots.routes.ts'
import type { Experiments } from '../modules/experiments/index.ts'
import type { Ownership } from '../modules/ownership/index.ts'
import type { Rooms } from '../modules/rooms/index.ts'
import type { HttpEdge } from './outside.ts'
import type { Ports } from './ports.ts'

interface PilotPeers {
  experiments: Experiments
  rooms: Rooms
  ownership: Ownership
  credentials: Credentials
}

/** Rooms full of agents, in which researchers try an experiment. */
export function openPilots(ports: Ports, { experiments, rooms, ownership, credentials }: PilotPeers) {
  const { config, database, heavyWork, clock, onBackgroundError } = ports
  const pilots = createPilots({
    store: database.pilots,
    countRooms: () => ownership.load().rooms,
    maxRooms: config.pod.capacity.maxRooms,
    rooms,
    experiments,
    heavyWork,
    credentials,
    clock,
    podId: config.pod.id,
    onBackgroundError,
  })
  return {
    routes: ({ routes }: HttpEdge): void =>
      addPilotRoutes(routes, { pilots, clock, audit: database.operations.audit }),
    start: pilots.start,
    stop: pilots.stop,
  }
}
