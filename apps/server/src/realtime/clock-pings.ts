import { ClockPing, type ClockPong, parserFor, type RoomAck } from '@atrium/contract'
import { AppError } from '../kernel/app-error.ts'
import type { SessionSocket } from './handshake.ts'

const pings = parserFor(ClockPing)

/**
 * R27: answers `clock_ping` in the turn in which it was read. Must be attached before anything else handles the socket's
 * packets. Pings have a share of their own, so that measuring the clock never delays a response.
 */
export function answerClockPings(socket: SessionSocket, now: () => number): void {
  socket.use((packet: unknown[], next) => {
    const t1 = now()
    if (packet[0] !== 'clock_ping') return next()
    const acknowledge = packet.at(-1)
    if (typeof acknowledge !== 'function' || !socket.connected) return
    acknowledge(pong(socket, packet.slice(1, -1), t1, now))
  })
}

function pong(
  socket: SessionSocket,
  payloads: unknown[],
  t1: number,
  now: () => number,
): ClockPong | RoomAck {
  if (!socket.data.share.pings.take(performance.now())) return refused(new AppError('RATE_LIMITED'))
  const parsed = pings.parse(payloads.length === 1 ? payloads[0] : undefined)
  if (!parsed.ok) return refused(new AppError('VALIDATION_FAILED'))
  return { t0: parsed.value.t0, t1, t2: now() }
}

const refused = ({ code, message }: AppError): RoomAck => ({ ok: false, error: { code, message } })
