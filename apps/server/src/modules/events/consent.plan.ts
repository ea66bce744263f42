import { consentEvents } from '@atrium/contract'

interface Typed {
  type: string
}

/** The answer to the consent of the definition that an event is, if it is one. */
export const consentIn = ({ type }: Typed): 'given' | 'declined' | undefined =>
  type === consentEvents.given ? 'given' : type === consentEvents.declined ? 'declined' : undefined

/** Whether any of the events answers the consent. */
export const answersConsent = (events: readonly Typed[]): boolean =>
  events.some((event) => consentIn(event) !== undefined)

/** R38, E9: whether every event of a batch stands after a consent that holds. The newest answer counts. */
export function keepsToConsent(hasConsented: boolean, events: readonly Typed[]): boolean {
  let isAllowed = hasConsented
  for (const event of events) {
    const answer = consentIn(event)
    if (answer !== undefined) isAllowed = answer === 'given'
    else if (!isAllowed) return false
  }
  return true
}
