import { startWorker } from '../harness/worker.ts'
import type { SocketToOpen } from './room-connection.ts'

export type RoomLoadOrder =
  | { kind: 'open'; sockets: SocketToOpen[] }
  /** The sockets take turns to send chat messages at a steady rate. */
  | { kind: 'chat'; perSecond: number; ms: number }
  /** The sockets take turns to send chat messages, each as soon as an earlier one is acknowledged. */
  | { kind: 'rush'; underWay: number; ms: number }
  /** Waits until this many messages have been received in total. */
  | { kind: 'await'; messages: number }

export interface ChatOutcome {
  sent: number
  ms: number
  /** From the action to its acknowledgement, and to its delivery to each of the others in the room. */
  acknowledgedMs: Float64Array
  broadcastMs: Float64Array
  /** How many messages were refused or lost, by kind. */
  errors: Record<string, number>
}

export const peoplePerRoom = 4

/** Participants' sockets, held by worker processes. */
export async function startRoomLoad(processes: number) {
  const program = new URL('./room-worker.ts', import.meta.url)
  const workers = Array.from({ length: processes }, () =>
    startWorker<RoomLoadOrder, ChatOutcome | null>('process with the sockets', program),
  )
  const all = async (orderOf: (index: number) => RoomLoadOrder) =>
    await Promise.all(workers.map((worker, index) => worker.run(orderOf(index))))

  return {
    /** Expects the sockets of a room next to each other; one process opens them all, so that one clock times them. */
    async open(sockets: SocketToOpen[]): Promise<void> {
      await all((index) => ({
        kind: 'open',
        sockets: sockets.filter((_, i) => Math.floor(i / peoplePerRoom) % processes === index),
      }))
    },
    async chat(perSecond: number, ms: number): Promise<ChatOutcome> {
      const parts = await all(() => ({ kind: 'chat', perSecond: perSecond / processes, ms }))
      return combine(parts.filter((part) => part !== null))
    },
    /** As fast as the server goes: always this many messages wait to be acknowledged. */
    async rush(underWay: number, ms: number): Promise<ChatOutcome> {
      const parts = await all(() => ({ kind: 'rush', underWay: Math.ceil(underWay / processes), ms }))
      return combine(parts.filter((part) => part !== null))
    },
    /** For a single process: resolves when this many messages have been received since its start. */
    async received(messages: number): Promise<void> {
      await all(() => ({ kind: 'await', messages }))
    },
    async stop(): Promise<void> {
      await Promise.all(workers.map((worker) => worker.stop()))
    },
  }
}

/** Several processes or rounds as one. */
export function combine(parts: ChatOutcome[]): ChatOutcome {
  const errors: Record<string, number> = {}
  for (const part of parts)
    for (const [kind, count] of Object.entries(part.errors)) errors[kind] = (errors[kind] ?? 0) + count
  const sorted = (pick: (part: ChatOutcome) => Float64Array) =>
    new Float64Array(parts.flatMap((part) => [...pick(part)])).sort()
  return {
    sent: parts.reduce((total, { sent }) => total + sent, 0),
    ms: Math.max(...parts.map(({ ms }) => ms)),
    acknowledgedMs: sorted(({ acknowledgedMs }) => acknowledgedMs),
    broadcastMs: sorted(({ broadcastMs }) => broadcastMs),
    errors,
  }
}
