import type { Parser, RoomAck } from '@atrium/contract'
import type { Socket } from 'socket.io'
import { AppError, validationFailed } from '../kernel/app-error.ts'
import { type Handshake, handshakeOf } from './handshake.ts'
import { minBytesLeft, type Share } from './shares.ts'

/** What is needed of a socket, whoever it belongs to. */
interface CountedSocket extends Pick<Socket, 'nsp' | 'request'> {
  readonly connected: boolean
  readonly data: { share: Share }
  use(handle: (packet: unknown[]) => void): unknown
}

/** Runs an action of a client, for example to measure it. The name is one of those that are answered. */
export type AroundAction = (name: string, act: () => Promise<number>) => Promise<number>

type Act = (payload: unknown) => Promise<number>

/** Something failed that is no refusal; for what a client sent, with the handshake that its socket began with. */
export type OnDefect = (error: unknown, handshake?: Handshake) => void

/**
 * Handles what a socket sends: count, parse, do, acknowledge. Failures are reported, never swallowed. Nothing is
 * emitted on the socket itself, because a client could send the names of its own events.
 */
export function createAcknowledger(
  socket: CountedSocket,
  onDefect: OnDefect,
  around: AroundAction = (_name, act) => act(),
) {
  const acts = new Map<unknown, Act>()

  async function handle(packet: unknown[]): Promise<void> {
    // Packets that arrived with the last bytes are no longer handled.
    if (!socket.connected) return
    const last = packet.at(-1)
    const acknowledge = typeof last === 'function' ? last : undefined
    const [name, ...payloads] = acknowledge ? packet.slice(0, -1) : packet
    const answer = await answerOf(
      async () => {
        spendOn(socket.data.share)
        const act = acts.get(name)
        if (!act) throw new AppError('NOT_FOUND', {}, 'There is no such action.')
        return await act(onlyOne(payloads))
      },
      (error) => onDefect(error, handshakeOf(socket)),
    )
    acknowledge?.(answer)
  }

  socket.use((packet) => void handle(packet))

  return <Payload>(name: string, parser: Parser<Payload>, act: (payload: Payload) => Promise<number>): void =>
    void acts.set(name, async (payload) => {
      const parsed = parser.parse(payload)
      if (!parsed.ok) throw validationFailed(parsed.issues)
      return await around(name, () => act(parsed.value))
    })
}

function spendOn({ actions, bytes }: Share): void {
  const now = performance.now()
  if (!actions.take(now) || bytes.msUntil(now, minBytesLeft) > 0) throw new AppError('RATE_LIMITED')
}

function onlyOne(payloads: unknown[]): unknown {
  if (payloads.length > 1) throw validationFailed([{ path: '', message: 'has more than one payload' }])
  return payloads[0]
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
