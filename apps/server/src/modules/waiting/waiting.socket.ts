import { waitingActions } from '@atrium/contract'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import { parserFor } from '../../kernel/validate.ts'
import type { Bus } from '../../ports/bus.ts'
import { createAcknowledger } from '../../realtime/acknowledge.ts'
import { type Handshakes, namedInQuery, type SessionSocket } from '../../realtime/handshake.ts'
import { createSeats } from '../../realtime/seats.ts'
import { roomIdOf, type SessionRecord, type Sessions } from '../sessions/index.ts'
import type { Waiter } from './waiter.ts'
import type { Waiting } from './waiting.ts'

const leaveParser = parserFor(waitingActions.leave_waiting)

export interface WaitingSocketParts {
  handshakes: Handshakes<SessionRecord>
  waiting: Waiting
  sessions: Sessions
  bus: Bus
  clock: Clock
  onDefect(error: unknown): void
}

/** The namespace `/waiting`, on any instance (R25). */
export function serveWaitingSockets(parts: WaitingSocketParts): void {
  const { handshakes, waiting, sessions, onDefect } = parts
  const seats = createWaitingSeats(parts)
  const namespace = handshakes.open('/waiting', {
    // How their wait ended is told to whoever was away when it did.
    mayBeCompleted: true,
    isSeated: ({ sessionId }) => seats.has(sessionId),
    admit: (session, socket) => refuseOtherRooms(sessions, session, namedInQuery(socket, 'roomId')),
  })
  namespace.on('connection', (connected) => {
    const socket = connected as unknown as SessionSocket<SessionRecord>
    const waiter: Waiter = {
      session: socket.data.session,
      tell: (name, payload) => void socket.emit(name, payload),
      close: () => void socket.disconnect(true),
      isGone: () => socket.disconnected,
    }
    seats.take(socket)
    socket.on('disconnect' as never, () => {
      seats.leave(socket)
      waiting.gone(waiter)
    })
    const answer = createAcknowledger(socket, onDefect)
    answer('leave_waiting', leaveParser, async () => {
      if (!(await waiting.leave(waiter)))
        throw new AppError('ACTION_REFUSED', {}, 'You are not waiting any more: your group has been formed.')
      waiter.tell('waiting_ended', { reason: 'left', completionCode: null, redirectUrl: '' })
      return 0
    })
    waiting.enter(waiter).catch((error: unknown) => {
      if (!(error instanceof AppError)) onDefect(error)
      // The client tries again, here or on another instance.
      waiter.close()
    })
  })
}

/** R16. Who has been matched meanwhile may still name the waiting room: they come to hear of their room. */
async function refuseOtherRooms(sessions: Sessions, session: SessionRecord, named: string[]): Promise<void> {
  const isOwn = (one: SessionRecord) => (roomId: string) =>
    roomId === roomIdOf(one) || roomId === roomIdOf({ ...one, roomId: null })
  if (named.every(isOwn(session))) return
  if (!named.every(isOwn(await sessions.readAgain(session.sessionId)))) throw new AppError('SESSION_MISMATCH')
}

/** One socket for each session, on whichever instance: the last to come stays. */
function createWaitingSeats({ bus, clock }: WaitingSocketParts) {
  const seats = createSeats()
  const since = new WeakMap<SessionSocket, number>()
  bus.subscribe('waiting_seat_taken', ({ sessionId, socketId, at }) =>
    // Of two that come at the same moment both instances must choose the same.
    seats.yieldIf(sessionId, (socket) => {
      const ownAt = since.get(socket) ?? 0
      return ownAt < at || (ownAt === at && socket.id < socketId)
    }),
  )
  return {
    has: seats.has,
    take(socket: SessionSocket): void {
      const { sessionId } = socket.data.session
      const at = clock.now()
      since.set(socket, at)
      seats.take(sessionId, socket)
      // Lost, it leaves a socket on another instance that is told the same until it goes.
      bus.publish('waiting_seat_taken', { sessionId, socketId: socket.id, at }).catch(() => undefined)
    },
    leave: (socket: SessionSocket): boolean => seats.leave(socket.data.session.sessionId, socket),
  }
}
