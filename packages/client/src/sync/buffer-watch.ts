import { hasData, isBuffered, type MediaElementLike } from './media-element.ts'

/** Shorter hiccups are over before the room could have waited for them. */
const stallMs = 300

/**
 * Notices when the player becomes able to play and when it no longer is, and tells the room once each time. Until the
 * browser is known to let it play (`mayPlay`), it is not ready: the room would start without this participant.
 */
export function createBufferWatch(element: MediaElementLike, tell: (status: 'ready' | 'stalled') => void) {
  let told: 'ready' | 'stalled' | undefined
  let stalledSinceMs: number | undefined

  function say(status: 'ready' | 'stalled'): void {
    if (told === status) return
    told = status
    tell(status)
  }

  return {
    look({ nowMs, mayPlay }: { nowMs: number; mayPlay: boolean }): void {
      if (hasData(element) || element.ended) {
        stalledSinceMs = undefined
        if (mayPlay && (isBuffered(element) || element.ended)) say('ready')
        return
      }
      stalledSinceMs ??= nowMs
      // Nobody waits for a player that has not been ready yet, so there is nothing to take back.
      if (told === 'ready' && nowMs - stalledSinceMs >= stallMs) say('stalled')
    },
    /** The room is connected again, or begins anew: it may not know. */
    forget(): void {
      told = undefined
    },
  }
}
