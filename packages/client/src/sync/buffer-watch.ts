import { hasData, isBuffered, type MediaElementLike } from './media-element.ts'

/** Shorter hiccups are over before the room could have waited for them. */
const stallMs = 300
/** While the room waits for everyone, a participant who was away for a moment counts as not ready until they say it again. */
const sayAgainMs = 3_000

interface Look {
  nowMs: number
  /** Whether the browser is known to let it play. */
  mayPlay: boolean
  /** Whether the room is waiting for everyone to be ready. */
  isAsked: boolean
}

/**
 * Notices when the player becomes able to play and when it no longer is, and tells the room once each time. Until the
 * browser is known to let it play (`mayPlay`), it is not ready: the room would start without this participant.
 */
export function createBufferWatch(element: MediaElementLike, tell: (status: 'ready' | 'stalled') => void) {
  let told: 'ready' | 'stalled' | undefined
  let toldAtMs = 0
  let stalledSinceMs: number | undefined

  function say(status: 'ready' | 'stalled', { nowMs, isAsked }: Look): void {
    if (told === status && !(isAsked && nowMs - toldAtMs >= sayAgainMs)) return
    told = status
    toldAtMs = nowMs
    tell(status)
  }

  return {
    look(look: Look): void {
      const { nowMs, mayPlay } = look
      if (hasData(element) || element.ended) {
        stalledSinceMs = undefined
        if (mayPlay && (isBuffered(element) || element.ended)) say('ready', look)
        return
      }
      stalledSinceMs ??= nowMs
      // Nobody waits for a player that has not been ready yet, so there is nothing to take back.
      if (told === 'ready' && nowMs - stalledSinceMs >= stallMs) say('stalled', look)
    },
    /** The room is connected again, or begins anew: it may not know. */
    forget(): void {
      told = undefined
    },
  }
}
