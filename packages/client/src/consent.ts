import { consentEvents } from '@atrium/contract'
import type { QueuedEvent } from './queue/queue-store.ts'
import type { Session } from './session.ts'

/** Whether the experiment requires consent that the server does not have yet. */
export const needsConsent = ({ experimentConfig, consentedAt }: Session): boolean =>
  experimentConfig.consent !== undefined && consentedAt === null

/** The newest consent answer among the events, if there is one. */
export function consentIn(events: readonly { type: string }[]): 'given' | 'declined' | undefined {
  const answer = events.findLast(isAnswer)
  return answer && (answer.type === consentEvents.given ? 'given' : 'declined')
}

const isAnswer = ({ type }: { type: string }): boolean =>
  type === consentEvents.given || type === consentEvents.declined

/** Before consent, the server accepts only consent answers: they go first, and everything else follows a yes. */
export function inOrderOfConsent(events: readonly QueuedEvent[]): QueuedEvent[] {
  const answers = events.filter(isAnswer)
  return consentIn(answers) === 'given'
    ? [...answers, ...events.filter((event) => !isAnswer(event))]
    : answers
}
