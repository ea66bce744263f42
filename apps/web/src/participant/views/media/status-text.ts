import { texts } from '../../../text/participant.ts'
import type { InStep } from './use-in-step.ts'

interface PlayerState {
  phase: 'loading' | 'waiting' | 'playing' | 'paused' | 'ended' | 'failed'
  inStep:
    | { kind: 'alone' | 'awaited' }
    | Pick<InStep & { kind: 'in_step' }, 'kind' | 'state' | 'isGestureNeeded'>
  isBuffering: boolean
  isStill: boolean
  /** A rating of this participant is due, and playback is held until it is given. */
  isRatingAwaited: boolean
  kind: 'video' | 'audio'
  loaded: number | undefined
}

/** The line under the player; empty while there is nothing to say. */
export function statusText(player: PlayerState): string {
  const { phase, inStep, isBuffering, isStill, isRatingAwaited, kind, loaded } = player
  const { media } = texts().views
  if (phase === 'failed') return ''
  if (isRatingAwaited && !isStill) return media.ratingAwaited
  if (phase === 'ended') return media.ended(kind)
  if (isStill) return media.paused
  if (phase === 'loading') return loaded === undefined ? media.loading : media.loadingPart(loaded)
  if (inStep.kind === 'awaited') return media.waitingForOthers
  if (inStep.kind === 'in_step' && phase === 'waiting') {
    if (inStep.isGestureNeeded) return ''
    return inStep.state.status === 'paused' ? media.paused : media.waitingForOthers
  }
  return phase === 'playing' && isBuffering ? media.loading : ''
}
