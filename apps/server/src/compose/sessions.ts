import { version } from '../http/figures.ts'
import { sealingKeysFrom } from '../kernel/sealed.ts'
import type { Experiments } from '../modules/experiments/index.ts'
import type { Rooms } from '../modules/rooms/index.ts'
import { createSessions, createSessionTokens, withHeldIdentities } from '../modules/sessions/index.ts'
import { addSessionRoutes } from '../modules/sessions/sessions.routes.ts'
import type { HttpEdge } from './outside.ts'
import type { Ports } from './ports.ts'

/** Sessions ask rooms who decided what, and rooms are opened for sessions: so they are asked for only when needed. */
export function openSessions(ports: Ports, peers: { experiments: Experiments }, rooms: () => Rooms) {
  const { config, database, secrets, quota, space, bus, clock, onBackgroundError } = ports
  const sessions = createSessions({
    store: withHeldIdentities(database.sessions, sealingKeysFrom(secrets)),
    tokens: createSessionTokens(secrets),
    bindIp: config.sessionBindIp,
    quota,
    space,
    originRetentionMs: config.originRetentionMs,
    decidedInRoom: (roomId, participantId) => rooms().decided(roomId, participantId),
    paidInRoom: (member) => rooms().paid(member),
    withdrawFromRoom: (member) => rooms().withdrawn(member),
    experiments: peers.experiments,
    bus,
    clock,
    podId: config.pod.id,
    softwareVersion: version,
    onBackgroundError,
  })
  return {
    sessions,
    routes: ({ routes }: HttpEdge): void => addSessionRoutes(routes, sessions),
    sweep: sessions.sweep,
    stop: sessions.activity.stop,
  }
}
