/** Where the connection to a room stands. `replaced`, `failed` and `closed` are final. */
export type RoomStatus =
  | { kind: 'connecting' }
  | { kind: 'connected' }
  | { kind: 'reconnecting'; attempt: number; delayMs: number; because: string }
  /** The session was lost; the participant is joining again. */
  | { kind: 'rejoining' }
  /** Another tab or device has taken the seat. */
  | { kind: 'replaced' }
  | { kind: 'failed'; code: string; message: string }
  | { kind: 'closed' }

export const isFinal = ({ kind }: RoomStatus): boolean =>
  kind === 'replaced' || kind === 'failed' || kind === 'closed'
