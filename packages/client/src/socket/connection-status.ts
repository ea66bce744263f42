/** The status of a connection to the platform. `replaced`, `failed` and `closed` are final. */
export type ConnectionStatus =
  | { kind: 'connecting' }
  | { kind: 'connected' }
  | { kind: 'reconnecting'; attempt: number; delayMs: number; because: string }
  /** The session was lost; the participant is joining again. */
  | { kind: 'rejoining' }
  /** Another tab or device has taken over. */
  | { kind: 'replaced' }
  | { kind: 'failed'; code: string; message: string }
  | { kind: 'closed' }

export const isFinal = ({ kind }: ConnectionStatus): boolean =>
  kind === 'replaced' || kind === 'failed' || kind === 'closed'
