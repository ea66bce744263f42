import type { ErrorCode } from '@atrium/contract'

/** The status of a participation. After `stopped` or `replaced`, nothing is sent until `join` is called again. */
export type ParticipantStatus =
  | { kind: 'idle' }
  | { kind: 'joined' }
  | { kind: 'rejoining'; because: ErrorCode | 'UNKNOWN' }
  /** Rejoining was refused (`code` of the refusal), or the session was lost too many times. */
  | { kind: 'stopped'; code: ErrorCode | 'UNKNOWN'; message: string; details: Record<string, unknown> }
  /** Another tab of this browser has taken over. It also sends what was recorded here. */
  | { kind: 'replaced' }
  | { kind: 'completed' }
  | { kind: 'closed' }
