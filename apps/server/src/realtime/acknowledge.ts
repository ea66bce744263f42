import type { RoomAck } from '@atrium/contract'
import { AppError, validationFailed } from '../kernel/app-error.ts'
import type { Parser } from '../kernel/validate.ts'
import type { SessionSocket } from './handshake.ts'
import { createTokenBucket } from './token-bucket.ts'

const actionsPerSecond = 20
const burstOfActions = 60

/** Answers `name` events of a socket: parse, count, do, acknowledge. What fails is said, never swallowed. */
export function createAcknowledger(socket: SessionSocket, onDefect: (error: unknown) => void) {
  const bucket = createTokenBucket(actionsPerSecond, burstOfActions, performance.now())
  return <Payload>(
    name: string,
    parser: Parser<Payload>,
    act: (payload: Payload) => Promise<number>,
  ): void => {
    socket.on(
      name as never,
      (async (payload: unknown, acknowledge: unknown) => {
        const answer = await answerOf(async () => {
          if (!bucket.take(performance.now())) throw new AppError('RATE_LIMITED')
          const parsed = parser.parse(payload)
          if (!parsed.ok) throw validationFailed(parsed.issues)
          return await act(parsed.value)
        }, onDefect)
        if (typeof acknowledge === 'function') acknowledge(answer)
      }) as never,
    )
  }
}

async function answerOf(act: () => Promise<number>, onDefect: (error: unknown) => void): Promise<RoomAck> {
  try {
    return { ok: true, seq: await act() }
  } catch (error) {
    if (!(error instanceof AppError)) onDefect(error)
    const { code, message } = error instanceof AppError ? error : new AppError('INTERNAL')
    return { ok: false, error: { code, message } }
  }
}
