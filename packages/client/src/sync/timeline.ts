import type { PlaybackState } from '@atrium/contract'

/**
 * What the room has said about one medium: what holds now, and what holds from `next.atServerTime` on. Until then the
 * present goes on, so a video that will be paused in 300 ms keeps playing for 300 ms.
 */
export interface Timeline {
  readonly present: PlaybackState
  readonly next: PlaybackState | undefined
}

/** News from the room. Without a past, the medium waits at the position where it will begin. */
export function withNews(timeline: Timeline | undefined, news: PlaybackState, serverMs: number): Timeline {
  if (news.atServerTime <= serverMs) return { present: news, next: undefined }
  const present = timeline && promoted(timeline, serverMs).present
  return { present: present ?? { ...news, status: 'preparing' }, next: news }
}

/** The same timeline once its next state has come into force. */
export function promoted(timeline: Timeline, serverMs: number): Timeline {
  const { next } = timeline
  return next && next.atServerTime <= serverMs ? { present: next, next: undefined } : timeline
}

/** Where the room is in the medium. */
export function roomPositionMs(
  { status, positionMs, atServerTime, rate }: PlaybackState,
  serverMs: number,
): number {
  return status === 'playing' ? positionMs + Math.max(0, serverMs - atServerTime) * rate : positionMs
}
