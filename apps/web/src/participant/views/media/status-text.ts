import { texts } from '../../../text/participant.ts'
import type { InStep } from './use-in-step.ts'

interface PlayerState {
  phase: 'loading' | 'waiting' | 'playing' | 'paused' | 'ended' | 'failed'
  inStep:
    | { kind: 'alone' | 'awaited' }
    | Pick<InStep & { kind: 'in_step' }, 'kind' | 'state' | 'isGestureNeeded'>
  isBuffering: boolean
  isStill: boolean
  kind: 'video' | 'audio'
  loaded: number | undefined
}

/** The line under the player; empty while there is nothing to say. */
export function statusText({ phase, inStep, isBuffering, isStill, kind, loaded }: PlayerState): string {
  const { media } = texts().views
  if (phase === 'ended') return media.ended(kind)
  if (phase === 'failed') return ''
  if (isStill) return media.paused
  if (phase === 'loading') return loaded === undefined ? media.loading : media.loadingPart(loaded)
  if (inStep.kind === 'awaited') return media.waitingForOthers
  if (inStep.kind === 'in_step' && phase === 'waiting') {
    if (inStep.isGestureNeeded) return ''
    return inStep.state.status === 'paused' ? media.paused : media.waitingForOthers
  }
  return phase === 'playing' && isBuffering ? media.loading : ''
}
