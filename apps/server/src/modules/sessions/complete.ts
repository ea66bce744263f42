import {
  assertNever,
  type CompleteBody,
  claimsEarnedOutcome,
  completionFor,
  type ExperimentDefinition,
  type ShownPayment,
  verificationOf,
} from '@atrium/contract'
import { AppError, validationFailed } from '../../kernel/app-error.ts'
import type { SessionCache } from './session-cache.ts'
import type { SessionDeps } from './session-deps.ts'
import type { CompleteOutcome, CompleteRequest, Completion, SessionRecord } from './sessions.store.ts'
import { shownPayment } from './shown-payment.ts'

/** What a participant ends with, as far as their client says. */
interface Ending extends Pick<CompleteBody, 'finalState' | 'summary'> {
  outcome: string
}

/** A completion as the participant reads it. */
type ToldCompletion = Completion & { payment: ShownPayment | undefined }

export function createCompletion(deps: SessionDeps, cache: SessionCache) {
  const { store, experiments, bus, clock, onBackgroundError } = deps

  async function end(
    session: SessionRecord,
    { outcome, finalState, summary }: Ending,
    { needsDecision, waitEnded }: Pick<CompleteRequest, 'needsDecision'> & { waitEnded?: string },
  ): Promise<CompleteOutcome> {
    const definition = await experiments.definition(session.experimentId, session.revision)
    const { participantId, metadata } = session
    const completed = await store.complete({
      sessionId: session.sessionId,
      completion: {
        ...completionFor(definition, { outcome, participantId, metadata }),
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
    if (completed.kind !== 'completed') return completed
    await cache.changed([session.sessionId])
    const { roomId, completion } = completed
    // The instance that holds the room reads of it at the latest before the room rests.
    if (roomId !== null)
      await bus
        .publish('participant_completed', { roomId, participantId, outcome: completion.outcome })
        .catch(onBackgroundError)
    return completed
  }

  /** Completes with the outcome that the client names, unless the room has decided otherwise (R52). */
  async function endAsDecided(session: SessionRecord, ending: Ending): Promise<CompleteOutcome> {
    const definition = await experiments.definition(session.experimentId, session.revision)
    refuseUncounted(definition, ending.summary)
    const needsDecision =
      verificationOf(definition) === 'room' && claimsEarnedOutcome(definition, ending.outcome)
    const outcome = await end(session, ending, { needsDecision })
    const decided = await decisionIn(outcome, session.participantId)
    // A decision is final, so it need not be read again.
    return decided === undefined
      ? outcome
      : await end(session, { ...ending, outcome: decided }, { needsDecision: false })
  }

  async function decisionIn(outcome: CompleteOutcome, participantId: string): Promise<string | undefined> {
    if (outcome.kind === 'decided') return outcome.outcome
    // Rooms of earlier versions did not record their decisions.
    if (outcome.kind === 'not_finished' && outcome.roomId !== null)
      return await deps.decidedInRoom(outcome.roomId, participantId)
    return undefined
  }

  const told = async (session: SessionRecord, completion: Completion): Promise<ToldCompletion> => ({
    ...completion,
    payment: await shownPayment(deps, session, completion),
  })

  return {
    /** R20: everything is stored before the code is given; repeating the call gives the same answer. */
    async complete(session: SessionRecord, ending: Ending): Promise<ToldCompletion> {
      if (session.completion) return await told(session, session.completion)
      const outcome = await endAsDecided(session, ending)
      switch (outcome.kind) {
        case 'completed':
          return await told({ ...session, roomId: outcome.roomId }, outcome.completion)
        case 'events_missing':
          throw new AppError('EVENTS_MISSING', {
            stored: outcome.stored,
            totalEvents: ending.summary?.totalEvents ?? 0,
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
        await end(session, { outcome }, { needsDecision: false, waitEnded: reason })
    },
  }
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
