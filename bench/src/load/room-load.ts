import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { SocketToOpen } from './room-connection.ts'

export type RoomLoadOrder =
  | { kind: 'open'; sockets: SocketToOpen[] }
  /** Chat messages, by the sockets in turn, at a steady rate. */
  | { kind: 'say'; perSecond: number; ms: number }
  /** Waits until that many messages have come in all. */
  | { kind: 'await'; messages: number }

export interface Said {
  sent: number
  ms: number
  /** From the action to its acknowledgement, and to each of the others in the room. */
  acknowledgedMs: Float64Array
  broadcastMs: Float64Array
  /** What was refused, or did not come: by kind. */
  errors: Record<string, number>
}

export type RoomLoadReply = { ok: true; said: Said | null } | { ok: false; message: string }

export type RoomLoad = Awaited<ReturnType<typeof startRoomLoad>>

export const peoplePerRoom = 4

const program = fileURLToPath(new URL('./room-worker.ts', import.meta.url))

/** The sockets live in processes of their own, so that their work is never counted as the server's. */
export async function startRoomLoad(processes: number) {
  const generators = Array.from({ length: processes }, startGenerator)
  const all = async (orderOf: (index: number) => RoomLoadOrder) =>
    await Promise.all(generators.map((generator, index) => generator.run(orderOf(index))))

  return {
    /** Those of one room are neighbours in the list and are opened by the same process, so that one clock times them. */
    async open(sockets: SocketToOpen[]): Promise<void> {
      await all((index) => ({
        kind: 'open',
        sockets: sockets.filter((_, i) => Math.floor(i / peoplePerRoom) % processes === index),
      }))
    },
    async say(perSecond: number, ms: number): Promise<Said> {
      const replies = await all(() => ({ kind: 'say', perSecond: perSecond / processes, ms }))
      return together(replies.flatMap(({ said }) => said ?? []))
    },
    /** For a single process: back when so many messages have come since it was started. */
    async received(messages: number): Promise<void> {
      await all(() => ({ kind: 'await', messages }))
    },
    async stop(): Promise<void> {
      await Promise.all(generators.map((generator) => generator.stop()))
    },
  }
}

function startGenerator() {
  const child = fork(program, { serialization: 'advanced', stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const ended = once(child, 'exit')
  const lost = ended.then((): never => {
    throw new Error('the process with the sockets ended in the middle of a round')
  })
  lost.catch(() => undefined) // It also ends when we are done; then nobody waits for this.
  return {
    async run(order: RoomLoadOrder): Promise<RoomLoadReply & { ok: true }> {
      const answered = once(child, 'message') as Promise<[RoomLoadReply]>
      child.send(order)
      const [reply] = await Promise.race([answered, lost])
      if (!reply.ok) throw new Error(`the load failed: ${reply.message}`)
      return reply
    },
    async stop(): Promise<void> {
      if (child.connected) child.disconnect()
      await ended
    },
  }
}

export function together(parts: Said[]): Said {
  const errors: Record<string, number> = {}
  for (const part of parts)
    for (const [kind, count] of Object.entries(part.errors)) errors[kind] = (errors[kind] ?? 0) + count
  const sorted = (pick: (part: Said) => Float64Array) =>
    new Float64Array(parts.flatMap((part) => [...pick(part)])).sort()
  return {
    sent: parts.reduce((total, { sent }) => total + sent, 0),
    ms: Math.max(...parts.map(({ ms }) => ms)),
    acknowledgedMs: sorted(({ acknowledgedMs }) => acknowledgedMs),
    broadcastMs: sorted(({ broadcastMs }) => broadcastMs),
    errors,
  }
}
