import { type CompleteBody, completionCodeOf, fillRedirect } from '@atrium/contract'
import { AppError, validationFailed } from '../../kernel/app-error.ts'
import type { SessionCache } from './session-cache.ts'
import type { SessionParts } from './session-parts.ts'
import type { CompleteOutcome, Completion, SessionRecord } from './sessions.store.ts'

export function createCompletion(parts: SessionParts, cache: SessionCache) {
  const { store, experiments, bus, clock, onBackgroundError } = parts

  async function end(
    session: SessionRecord,
    body: CompleteBody,
    unlessMatched: boolean,
  ): Promise<CompleteOutcome> {
    const definition = await experiments.definition(session.experimentId, session.revision)
    const { finalState, summary } = body
    refuseUncountable(summary)
    const completionCode = completionCodeOf(definition, body.completionCode)
    const outcome = await store.complete({
      sessionId: session.sessionId,
      completion: {
        outcome: body.completionCode,
        completionCode,
        redirectUrl: fillRedirect(definition.completion?.redirectUrl, {
          code: completionCode,
          participantId: session.participantId,
          metadata: session.metadata,
        }),
        finalState: finalState ?? null,
        completedAt: clock.now(),
      },
      claimedEvents: summary?.totalEvents ?? null,
      duration: summary?.duration ?? null,
      requireAllEvents: definition.completion?.requireAllEvents ?? false,
      finalStateUnknown:
        finalState !== undefined && !definition.states.some((state) => state.id === finalState),
      unlessMatched,
    })
    await cache.changed([session.sessionId])
    // Whoever has their room reads of it at the latest before it rests.
    if (outcome.kind === 'completed' && !unlessMatched)
      await bus
        .publish('participant_completed', {
          participantId: session.participantId,
          outcome: outcome.completion.outcome,
        })
        .catch(onBackgroundError)
    return outcome
  }

  return {
    /** R20: everything is stored first, then the code is given; repeating the call gives the same answer. */
    async complete(session: SessionRecord, body: CompleteBody): Promise<Completion> {
      if (session.completion) return session.completion
      const outcome = await end(session, body, false)
      switch (outcome.kind) {
        case 'completed':
          return outcome.completion
        case 'events_missing':
          throw new AppError('EVENTS_MISSING', {
            stored: outcome.stored,
            totalEvents: body.summary?.totalEvents ?? 0,
          })
        case 'refused':
        case 'matched':
        case 'not_found':
          throw new AppError('SESSION_INVALID')
      }
    },
    /** The wait of a participant is over without a room. Whoever has got one in this very moment keeps it. */
    async endWaiting(participantId: string, outcome: string): Promise<void> {
      const sessions = await store.findMany(await store.activeIdsOf([participantId]))
      for (const session of sessions) await end(session, { completionCode: outcome }, true)
    },
  }
}

/** JSON has whole numbers that no column of ours can hold. */
function refuseUncountable(summary: CompleteBody['summary']): void {
  for (const name of ['totalEvents', 'duration'] as const)
    if (summary && !Number.isSafeInteger(summary[name]))
      throw validationFailed([{ path: `/summary/${name}`, message: 'is a number too large to store' }])
}
