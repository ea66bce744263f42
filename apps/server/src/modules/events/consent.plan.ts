import { consentEvents } from '@atrium/contract'

interface Typed {
  type: string
}

/** The event's answer to the definition's consent, if it is one. */
export const consentIn = ({ type }: Typed): 'given' | 'declined' | undefined =>
  type === consentEvents.given ? 'given' : type === consentEvents.declined ? 'declined' : undefined

/** Whether any of the events answers the consent. */
export const answersConsent = (events: readonly Typed[]): boolean =>
  events.some((event) => consentIn(event) !== undefined)

/** R38, E9: whether every event of a batch comes after a consent that is in force. The newest answer counts. */
export function keepsToConsent(hasConsented: boolean, events: readonly Typed[]): boolean {
  let isAllowed = hasConsented
  for (const event of events) {
    const answer = consentIn(event)
    if (answer !== undefined) isAllowed = answer === 'given'
    else if (!isAllowed) return false
  }
  return true
}
