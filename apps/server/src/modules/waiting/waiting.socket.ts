import { parserFor, waitingActions } from '@atrium/contract'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Bus } from '../../ports/bus.ts'
import { createAcknowledger, type OnDefect } from '../../realtime/acknowledge.ts'
import { type Handshakes, namedInQuery, type SessionSocket } from '../../realtime/handshake.ts'
import { createWaitingSeats } from '../../realtime/waiting-seats.ts'
import { roomIdOf, type SessionRecord, type Sessions } from '../sessions/index.ts'
import type { Waiter, WaitingMessages } from './waiter.ts'
import type { Waiting } from './waiting.ts'

const leaveParser = parserFor(waitingActions.leave_waiting)

interface Sending {
  emit(name: keyof WaitingMessages, payload: unknown): unknown
}

export interface WaitingSocketDeps {
  handshakes: Handshakes<SessionRecord>
  waiting: Waiting
  sessions: Sessions
  bus: Bus
  clock: Clock
  onDefect: OnDefect
}

/** The namespace `/waiting`, on any instance (R25). */
export function serveWaitingSockets(deps: WaitingSocketDeps): void {
  const { handshakes, waiting, sessions, onDefect } = deps
  const seats = createWaitingSeats(deps)
  const namespace = handshakes.open('/waiting', {
    // Participants who were away when their wait ended learn how it ended.
    mayBeCompleted: true,
    isSeated: ({ sessionId }) => seats.has(sessionId),
    admit: (session, socket) => refuseOtherRooms(sessions, session, namedInQuery(socket, 'roomId')),
  })
  namespace.on('connection', (connected) => {
    const socket = connected as unknown as SessionSocket<SessionRecord>
    const waiter: Waiter = {
      session: socket.data.session,
      // The types of name and payload belong together, which a union of calls cannot say.
      send: (name, payload) => void (socket as Sending).emit(name, payload),
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
        throw new AppError('ACTION_REFUSED', {}, 'You are no longer waiting: your group has been formed.')
      waiter.send('waiting_ended', { reason: 'left', completionCode: null, redirectUrl: '' })
      return 0
    })
    waiting.enter(waiter).catch((error: unknown) => {
      if (!(error instanceof AppError)) onDefect(error)
      // The client retries, here or on another instance.
      waiter.close()
    })
  })
}

/** R16. A participant who has just been matched may still name the waiting room: they connect to learn of their room. */
async function refuseOtherRooms(sessions: Sessions, session: SessionRecord, named: string[]): Promise<void> {
  const isOwn = (one: SessionRecord) => (roomId: string) =>
    roomId === roomIdOf(one) || roomId === roomIdOf({ ...one, roomId: null })
  if (named.every(isOwn(session))) return
  if (!named.every(isOwn(await sessions.readAgain(session.sessionId)))) throw new AppError('SESSION_MISMATCH')
}
