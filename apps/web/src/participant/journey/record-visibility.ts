import type { Participant } from '@atrium/client'

/** Records when the page was hidden, so that researchers know whether people were there. */
export function recordVisibility(participant: Participant): void {
  document.addEventListener('visibilitychange', () => {
    if (participant.status.kind !== 'joined' || participant.needsConsent) return
    const type = document.visibilityState === 'hidden' ? 'page_hidden' : 'page_visible'
    // Not essential: the study continues even if this device cannot keep it.
    participant.record({ type, data: {} }).catch(() => undefined)
  })
}
