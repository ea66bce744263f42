import type { ErrorCode } from '@atrium/contract'

/** Where a participation stands. After `stopped`, `replaced` nothing is sent until `join` is called again. */
export type ParticipantStatus =
  | { kind: 'idle' }
  | { kind: 'joined' }
  | { kind: 'rejoining'; because: ErrorCode | 'UNKNOWN' }
  /** Joining again was refused (`code` of the refusal), or the session was lost again and again. */
  | { kind: 'stopped'; code: ErrorCode | 'UNKNOWN'; message: string; details: Record<string, unknown> }
  /** Another tab of this browser has taken over. It sends what was recorded here, too. */
  | { kind: 'replaced' }
  | { kind: 'completed' }
  | { kind: 'closed' }
