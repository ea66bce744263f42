import { waitingActions } from '@atrium/contract'
import type { Server } from 'socket.io'
import { AppError } from '../../kernel/app-error.ts'
import { parserFor } from '../../kernel/validate.ts'
import { createAcknowledger } from '../../realtime/acknowledge.ts'
import { type SessionSocket, sessionNamespace } from '../../realtime/handshake.ts'
import type { Sessions } from '../sessions/index.ts'
import type { Waiter } from './waiter.ts'
import type { Waiting } from './waiting.ts'

const leaveParser = parserFor(waitingActions.leave_waiting)

export interface WaitingSocketParts {
  io: Server
  waiting: Waiting
  sessions: Sessions
  onDefect(error: unknown): void
}

/** The namespace `/waiting`, on any instance (R25). */
export function serveWaitingSockets({ io, waiting, sessions, onDefect }: WaitingSocketParts): void {
  // Also for who has completed: how their wait ended is told to whoever was away when it did.
  const namespace = sessionNamespace(io, '/waiting', sessions, async () => undefined, true)
  namespace.on('connection', (connected) => {
    const socket = connected as unknown as SessionSocket
    const waiter: Waiter = {
      session: socket.data.session,
      tell: (name, payload) => void socket.emit(name, payload),
      close: () => void socket.disconnect(true),
      isGone: () => socket.disconnected,
    }
    socket.on('disconnect' as never, () => waiting.gone(waiter))
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
