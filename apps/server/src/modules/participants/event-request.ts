import { EventsEnvelope, type ParticipantEvent, type SessionClaims } from '@atrium/contract'
import { AppError, validationFailed } from '../../kernel/app-error.ts'
import { parserFor } from '../../kernel/validate.ts'
import { eventIssues } from '../events/index.ts'
import { roomIdOf, type SessionRecord } from '../sessions/index.ts'

const envelope = parserFor(EventsEnvelope)

export interface EventRequest extends SessionClaims {
  events: ParticipantEvent[]
}

/** A batch whose every event is sound, or all that is wrong with it. */
export function parseEventRequest(body: unknown): EventRequest {
  const parsed = envelope.parse(body)
  if (!parsed.ok) throw validationFailed(parsed.issues)
  const issues = eventIssues(parsed.value.events)
  if (issues.length > 0) throw validationFailed(issues.slice(0, 50))
  return { ...parsed.value, events: parsed.value.events as ParticipantEvent[] }
}

/** R16: whatever names an experiment or a room must name the session's own. */
export function refuseForeignClaims(session: SessionRecord, ...claims: readonly SessionClaims[]): void {
  for (const { experimentId, roomId } of claims) {
    if (experimentId !== undefined && experimentId !== session.experimentId)
      throw new AppError('SESSION_MISMATCH', { experimentId })
    if (roomId !== undefined && roomId !== roomIdOf(session))
      throw new AppError('SESSION_MISMATCH', { roomId })
  }
}
