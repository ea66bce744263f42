import { startWorker } from '../harness/worker.ts'
import type { SocketToOpen } from './room-connection.ts'

export type LargeRoomOrder =
  /** Everybody comes in, a few at a time. Done when all of them have their page. */
  | { kind: 'open'; sockets: SocketToOpen[] }
  /** Messages and answers in turn, each from the next person, at a steady rate. */
  | { kind: 'play'; perSecond: number; ms: number }
  /** Everybody answers at once. Done when everybody has the next page. */
  | { kind: 'round' }
  /** Waits until this many messages have been received in total. */
  | { kind: 'await'; messages: number }

export interface LargeRoomOutcome {
  actions: number
  /** Messages that arrived at somebody. */
  deliveries: number
  /** Everything that arrived, whatever it was. */
  packets: number
  bytes: number
  ms: number
  acknowledgedMs: Float64Array
  deliveredMs: Float64Array
}

/** One room, whose people's sockets are held by a process of their own. */
export async function startLargeRoomLoad() {
  const program = new URL('./large-room-worker.ts', import.meta.url)
  return startWorker<LargeRoomOrder, LargeRoomOutcome>('process with the sockets of a room', program)
}
