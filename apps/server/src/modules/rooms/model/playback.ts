import type { PlaybackState, PlaybackStatus } from '@atrium/contract'

/**
 * How one medium plays, for everyone who sees it. At `atServerTime` it is at `positionMs`, and from then on it moves at
 * `rate` while it is playing. `atServerTime` never goes back, so what happens next always continues from here.
 */
export interface Playback {
  componentId: string
  /** The visit that it belongs to; null for global components, which play on in the next state. */
  visit: number | null
  status: PlaybackStatus
  positionMs: number
  atServerTime: number
  rate: number
  /** What it does when nothing holds it up. */
  intent: 'play' | 'pause'
  /** Participants who could play when we last heard from them. */
  ready: readonly string[]
  /** Participants whose stall the room waits for. */
  stalled: readonly string[]
  /** When it goes on without those who are not ready; null while nobody is waited for. */
  waitUntil: number | null
  /** The stop at which ratings are awaited. */
  heldAtMs: number | null
  /** Stops up to this position are done. */
  passedMs: number
  /** Where it ends, as far as is known. */
  endsAtMs: number | null
  /** Whether it has ended for everyone once; a role that plays it again goes on from there. */
  hasEnded: boolean
  /** When the clock alone changes it. */
  dueAt: number | null
  /** How often each participant has held it up. */
  stalls: Readonly<Record<string, number>>
  /** When each participant last reported. */
  reportedAt: Readonly<Record<string, number>>
  commandedAt: number | null
}

/** A playback state on its way to the participants who see the medium. */
export interface PlaybackPush {
  participantIds: readonly string[]
  state: PlaybackState
}

/** The contract's limit for positions: ten days. */
const farthestMs = 864_000_000

/** Where it is at a time that is not before `atServerTime`. */
export function positionAt(playback: Playback, at: number): number {
  const { status, positionMs, atServerTime, rate, endsAtMs } = playback
  const moved = status === 'playing' ? Math.max(0, at - atServerTime) * rate : 0
  return Math.min(positionMs + moved, endsAtMs ?? farthestMs, farthestMs)
}

/** When a medium that is playing reaches a position ahead of it. */
export const reachedAt = ({ positionMs, atServerTime, rate }: Playback, targetMs: number): number =>
  Math.ceil(atServerTime + Math.max(0, targetMs - positionMs) / rate)

export const publicState = (playback: Playback): PlaybackState => {
  const { componentId, status, positionMs, atServerTime, rate } = playback
  return { componentId, status, positionMs, atServerTime, rate }
}

/** Whether the participants have to be told. */
export const isHeardDifference = (before: Playback | undefined, after: Playback): boolean =>
  before?.status !== after.status ||
  before.visit !== after.visit ||
  before.positionMs !== after.positionMs ||
  before.atServerTime !== after.atServerTime ||
  before.rate !== after.rate
