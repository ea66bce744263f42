import type { ParticipantEvent } from '@atrium/contract'
import { AppError } from '../../kernel/app-error.ts'
import { answersConsent, type Events, keepsToConsent } from '../events/index.ts'
import type { Experiments } from '../experiments/index.ts'
import type { SessionRecord, Sessions } from '../sessions/index.ts'

export interface ParticipantParts {
  experiments: Experiments
  sessions: Sessions
  events: Events
}

export const consentedAtOf = ({ consentedAt }: SessionRecord): string | null =>
  consentedAt === null ? null : new Date(consentedAt).toISOString()

export async function recordEvents(
  { events, sessions }: ParticipantParts,
  session: SessionRecord,
  batch: ParticipantEvent[],
  idempotencyKey: string | null,
): Promise<{ recorded: number; serverTimestamp: string }> {
  if (session.needsConsent && !keepsToConsent(session.consentedAt !== null, batch))
    if (!keepsToConsent(await sessions.hasConsent(session), batch)) throw new AppError('CONSENT_REQUIRED')
  const outcome = await events.record(session, batch, idempotencyKey)
  if (answersConsent(batch)) await sessions.consentAnswered(session.sessionId)
  if (outcome === 'sealed') return await sessions.explainEnd(session.sessionId)
  return { recorded: outcome.recorded, serverTimestamp: new Date(outcome.receivedAt).toISOString() }
}

export async function recruitingSummaries({ experiments }: ParticipantParts) {
  const recruiting = await experiments.recruiting()
  return recruiting.map(({ experimentId, name, status, availableSlots }) => ({
    experimentId,
    name,
    status,
    availableSlots,
  }))
}
