import { consentEvents } from '@atrium/contract'
import type { QueuedEvent } from './queue/queue-store.ts'
import type { Session } from './session.ts'

/** Whether the experiment asks for a consent that the server does not have yet. */
export const needsConsent = ({ experimentConfig, consentedAt }: Session): boolean =>
  experimentConfig.consent !== undefined && consentedAt === null

/** The newest answer to the consent among the events, if there is one. */
export function consentIn(events: readonly { type: string }[]): 'given' | 'declined' | undefined {
  const answer = events.findLast(isAnswer)
  return answer && (answer.type === consentEvents.given ? 'given' : 'declined')
}

const isAnswer = ({ type }: { type: string }): boolean =>
  type === consentEvents.given || type === consentEvents.declined

/** Before consent is given the server takes its answers alone: they go first, and whatever else waits goes after a yes. */
export function inOrderOfConsent(events: readonly QueuedEvent[]): QueuedEvent[] {
  const answers = events.filter(isAnswer)
  return consentIn(answers) === 'given'
    ? [...answers, ...events.filter((event) => !isAnswer(event))]
    : answers
}
