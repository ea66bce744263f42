import {
  assertNever,
  type CompleteBody,
  type ExperimentDefinition,
  leavingOf,
  passesForEarned,
  verificationOf,
} from '@atrium/contract'
import { AppError, validationFailed } from '../../kernel/app-error.ts'
import type { SessionCache } from './session-cache.ts'
import type { SessionDeps } from './session-deps.ts'
import type { CompleteOutcome, CompleteRequest, Completion, SessionRecord } from './sessions.store.ts'

export function createCompletion(deps: SessionDeps, cache: SessionCache) {
  const { store, experiments, bus, clock, onBackgroundError } = deps

  async function end(
    session: SessionRecord,
    body: CompleteBody,
    { needsDecision, waitEnded }: Pick<CompleteRequest, 'needsDecision'> & { waitEnded?: string },
  ): Promise<CompleteOutcome> {
    const definition = await experiments.definition(session.experimentId, session.revision)
    const { finalState, summary } = body
    const outcome = await store.complete({
      sessionId: session.sessionId,
      completion: {
        ...given(definition, session, body.completionCode),
        finalState: finalState ?? null,
        completedAt: clock.now(),
        ...(waitEnded !== undefined && { waitEnded }),
      },
      claimedEvents: summary?.totalEvents ?? null,
      duration: summary?.duration ?? null,
      requireAllEvents: definition.completion?.requireAllEvents ?? false,
      finalStateUnknown:
        finalState !== undefined && !definition.states.some((state) => state.id === finalState),
      unlessMatched: waitEnded !== undefined,
      decidedBy: verificationOf(definition) === 'room' ? 'room' : 'client',
      needsDecision,
    })
    if (outcome.kind !== 'completed') return outcome
    await cache.changed([session.sessionId])
    // The instance that holds the room reads of it at the latest before the room rests.
    if (waitEnded === undefined)
      await bus
        .publish('participant_completed', {
          participantId: session.participantId,
          outcome: outcome.completion.outcome,
        })
        .catch(onBackgroundError)
    return outcome
  }

  /** Completes with the outcome in the body, unless the room has decided otherwise (R52). */
  async function endAsDecided(session: SessionRecord, body: CompleteBody): Promise<CompleteOutcome> {
    const definition = await experiments.definition(session.experimentId, session.revision)
    refuseUncounted(definition, body.summary)
    const needsDecision =
      verificationOf(definition) === 'room' && passesForEarned(definition, body.completionCode)
    const outcome = await end(session, body, { needsDecision })
    const decided = await decisionIn(outcome, session.participantId)
    // A decision is final, so it need not be read again.
    return decided === undefined
      ? outcome
      : await end(session, { ...body, completionCode: decided }, { needsDecision: false })
  }

  async function decisionIn(outcome: CompleteOutcome, participantId: string): Promise<string | undefined> {
    if (outcome.kind === 'decided') return outcome.outcome
    // Rooms of earlier versions did not record their decisions.
    if (outcome.kind === 'not_finished' && outcome.roomId !== null)
      return await deps.decidedInRoom(outcome.roomId, participantId)
    return undefined
  }

  return {
    /** R20: everything is stored before the code is given; repeating the call gives the same answer. */
    async complete(session: SessionRecord, body: CompleteBody): Promise<Completion> {
      if (session.completion) return session.completion
      const outcome = await endAsDecided(session, body)
      switch (outcome.kind) {
        case 'completed':
          return outcome.completion
        case 'events_missing':
          throw new AppError('EVENTS_MISSING', {
            stored: outcome.stored,
            totalEvents: body.summary?.totalEvents ?? 0,
          })
        case 'not_finished':
          throw new AppError('NOT_FINISHED')
        case 'decided':
        case 'refused':
        case 'matched':
        case 'not_found':
          await cache.changed([session.sessionId])
          throw new AppError('SESSION_INVALID')
        default:
          return assertNever(outcome)
      }
    },
    /** Ends a participant's wait without a room. If they have just got one, they keep it. */
    async endWaiting(participantId: string, outcome: string, reason: string): Promise<void> {
      const sessions = await store.findMany(await store.activeIdsOf([participantId]))
      for (const session of sessions)
        await end(session, { completionCode: outcome }, { needsDecision: false, waitEnded: reason })
    },
  }
}

/** The code and redirect of an outcome. */
function given(
  definition: ExperimentDefinition,
  { participantId, metadata }: SessionRecord,
  outcome: string,
): Pick<Completion, 'outcome' | 'completionCode' | 'redirectUrl'> {
  return { outcome, ...leavingOf(definition, { outcome, participantId, metadata }) }
}

/**
 * JSON allows whole numbers that our columns cannot hold. Without a count nobody can say that all events are there.
 */
function refuseUncounted({ completion }: ExperimentDefinition, summary: CompleteBody['summary']): void {
  if (!summary && completion?.requireAllEvents)
    throw validationFailed([
      {
        path: '/summary',
        message: 'is missing; this experiment compares its totalEvents with what is stored',
      },
    ])
  for (const name of ['totalEvents', 'duration'] as const)
    if (summary && !Number.isSafeInteger(summary[name]))
      throw validationFailed([{ path: `/summary/${name}`, message: 'is a number too large to store' }])
}
