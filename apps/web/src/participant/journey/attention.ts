import type { Participant } from '@atrium/client'

/** When the page was out of sight: researchers ask whether people were there. */
export function noteAttention(participant: Participant): void {
  document.addEventListener('visibilitychange', () => {
    if (participant.status.kind !== 'joined' || participant.needsConsent) return
    const type = document.visibilityState === 'hidden' ? 'page_hidden' : 'page_visible'
    // Beside the study: a device that cannot keep it goes on all the same.
    participant.record({ type, data: {} }).catch(() => undefined)
  })
}
