import type { Metrics } from '../http/metrics.ts'
import type { Experiments } from '../modules/experiments/index.ts'
import type { Rooms } from '../modules/rooms/index.ts'
import type { Sessions } from '../modules/sessions/index.ts'
import { createWaiting } from '../modules/waiting/index.ts'
import { serveWaitingSockets } from '../modules/waiting/waiting.socket.ts'
import type { SocketEdge } from './outside.ts'
import type { Ports } from './ports.ts'

interface WaitingPeers {
  experiments: Experiments
  sessions: Sessions
  rooms: Rooms
  metrics: Metrics
}

/** Who waits for a room, and the rounds in which they get one. */
export function openWaiting(ports: Ports, { experiments, sessions, rooms, metrics }: WaitingPeers) {
  const { config, database, queue, pods, bus, clock, warn, onBackgroundError } = ports
  const waiting = createWaiting({
    roomStore: database.rooms,
    onCounted: metrics.waiting,
    heartbeatMs: config.pod.heartbeatMs,
    queue,
    pods,
    rooms,
    sessions,
    experiments,
    bus,
    clock,
    podId: config.pod.id,
    onBackgroundError,
    warn,
  })
  return {
    waiting,
    sockets: ({ handshakes, onDefect }: SocketEdge): void =>
      serveWaitingSockets({ handshakes, waiting, sessions, bus, clock, onDefect }),
    start: waiting.start,
    stop: waiting.stop,
  }
}
