import {
  type ClockReport,
  EventsEnvelope,
  type ExperimentSummary,
  groupSizeOf,
  type ParticipantEvent,
  parserFor,
  type SessionClaims,
} from '@atrium/contract'
import { AppError, validationFailed } from '../../kernel/app-error.ts'
import { answersConsent, type Events, eventIssues, keepsToConsent } from '../events/index.ts'
import type { Experiments } from '../experiments/index.ts'
import { roomIdOf, type SessionRecord, type Sessions } from '../sessions/index.ts'

// What both versions of the participant API share.

export interface ParticipantDeps {
  experiments: Experiments
  sessions: Sessions
  events: Events
}

export const consentedAtOf = ({ consentedAt }: SessionRecord): string | null =>
  consentedAt === null ? null : new Date(consentedAt).toISOString()

export async function recordEvents(
  { events, sessions }: ParticipantDeps,
  session: SessionRecord,
  { events: batch, clock }: Pick<EventRequest, 'events' | 'clock'>,
  idempotencyKey: string | null,
): Promise<{ recorded: number; serverTimestamp: string }> {
  if (session.needsConsent && !keepsToConsent(session.consentedAt !== null, batch))
    if (!keepsToConsent(await sessions.hasConsent(session), batch)) throw new AppError('CONSENT_REQUIRED')
  const outcome = await events.record(session, batch, idempotencyKey, clock)
  if (answersConsent(batch)) await sessions.consentAnswered(session)
  if (outcome === 'sealed') return await sessions.explainEnd(session.sessionId)
  return { recorded: outcome.recorded, serverTimestamp: new Date(outcome.receivedAt).toISOString() }
}

/**
 * The studies that people can choose from: those that are recruiting and want to be listed. A full one is marked, not left
 * out: whoever has one of its places finds it here when they come back.
 */
export async function recruitingSummaries({ experiments }: ParticipantDeps): Promise<ExperimentSummary[]> {
  const recruiting = await experiments.recruiting()
  const summaries = await Promise.all(
    recruiting.map(async ({ experimentId, name, revision, availableSlots }) => {
      // Definitions are kept in memory; only the first list after a change reads them.
      const definition = await experiments.stage(experimentId, revision, null)
      const { summary, minutes, listed = true } = definition
      const groupSize = groupSizeOf(definition)
      return listed
        ? [
            {
              ...{ experimentId, name, status: 'recruiting' as const, availableSlots },
              ...(availableSlots === 0 && { full: true as const }),
              ...(summary !== undefined && { summary }),
              ...(minutes !== undefined && { minutes }),
              ...(groupSize.max > 1 && { groupSize }),
            },
          ]
        : []
    }),
  )
  return summaries.flat()
}

const envelope = parserFor(EventsEnvelope)

export interface EventRequest extends SessionClaims {
  events: ParticipantEvent[]
  clock?: ClockReport
}

/** Returns the batch if every event in it is valid; otherwise throws everything that is wrong with it. */
export function parseEventRequest(body: unknown): EventRequest {
  const parsed = envelope.parse(body)
  if (!parsed.ok) throw validationFailed(parsed.issues)
  const issues = eventIssues(parsed.value.events)
  if (issues.length > 0) throw validationFailed(issues.slice(0, 50))
  return { ...parsed.value, events: parsed.value.events as ParticipantEvent[] }
}

/** R16: a request that names an experiment or a room must name the session's own. */
export function refuseForeignClaims(session: SessionRecord, ...claims: readonly SessionClaims[]): void {
  for (const { experimentId, roomId } of claims) {
    if (experimentId !== undefined && experimentId !== session.experimentId)
      throw new AppError('SESSION_MISMATCH', { experimentId })
    if (roomId !== undefined && roomId !== roomIdOf(session))
      throw new AppError('SESSION_MISMATCH', { roomId })
  }
}
