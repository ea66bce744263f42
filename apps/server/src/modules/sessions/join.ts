import {
  anyRole,
  assertNever,
  type ExperimentDefinition,
  findUnstorable,
  groupSizeOf,
  isPreview,
  isUnfilledPlaceholder,
  type JoinBody,
  languagesOf,
  lateCompletionFor,
  limits,
  preferredLanguage,
  rolesOfPeople,
} from '@atrium/contract'
import { AppError, validationFailed } from '../../kernel/app-error.ts'
import { newGuestSessionId, newParticipantId, newRoomId, newSessionId } from '../../kernel/ids.ts'
import { quotaExceeded } from '../../kernel/quota.ts'
import { tooLittleSpace } from '../../kernel/space.ts'
import type { Identity } from '../identity/index.ts'
import { rolesToDraw } from './join.plan.ts'
import { isUsableFrom, languageOf, mayUse } from './session.ts'
import type { SessionCache } from './session-cache.ts'
import type { SessionDeps } from './session-deps.ts'
import type { Completion, JoinOutcome, SessionRecord } from './sessions.store.ts'
import { shownPayment } from './shown-payment.ts'

export interface Origin {
  ipAddress: string
  userAgent: string
}

/** Joins an experiment, or resumes where the person already takes part (R14). */
export function createJoin(deps: SessionDeps, cache: SessionCache) {
  const { store, experiments, tokens } = deps
  return async (identity: Identity, body: JoinBody, origin: Origin) => {
    refuseForeignGuest(identity, body.experimentId)
    const request = await joinRequest(deps, identity, body, origin)
    const outcome = await store.join(request)
    if (outcome.kind === 'closed') {
      if (outcome.reason === 'already_completed')
        throw await endedBefore(deps, identity, origin, outcome.completed)
      const newest = await experiments.definition(body.experimentId, request.revision)
      throw closedTo(newest, outcome.reason, request.metadata)
    }
    const session = sessionOf(outcome, body.experimentId)
    if (outcome.kind === 'joined') await cache.changed(outcome.revokedSessionIds)
    cache.put(session)
    const language = languageOf(session)
    const definition = await experiments.definition(session.experimentId, session.revision, language)
    return { session, sessionToken: tokens.sign(session.sessionId, session.expiresAt), definition }
  }
}

/** R51: a guest's token is for one experiment. */
export function refuseForeignGuest({ guest }: Identity, experimentId: string): void {
  if (guest && guest.experimentId !== experimentId)
    throw new AppError('FORBIDDEN', { reason: 'guest' }, 'This guest’s token is for another experiment.')
}

async function joinRequest(
  { experiments, clock, podId, softwareVersion, quota, space }: SessionDeps,
  identity: Identity,
  body: JoinBody,
  origin: Origin,
) {
  const sent = body.metadata ?? {}
  // Before its size is measured: JSON.stringify overflows the stack on a few thousand levels.
  const unstorable = findUnstorable(sent, limits.jsonDepth, '/metadata')
  if (unstorable) throw validationFailed([unstorable])
  if (Buffer.byteLength(JSON.stringify(sent)) > limits.metadataBytes)
    throw validationFailed([
      { path: '/metadata', message: `must be at most ${limits.metadataBytes} bytes as JSON` },
    ])
  if (isPreview(sent)) throw validationFailed([previewIssue])
  const experiment = await experiments.find(body.experimentId)
  const definition = await experiments.stage(body.experimentId, experiment.revision, null)
  const role = body.role ?? anyRole
  if (role !== anyRole && !rolesOfPeople(definition).some(({ id }) => id === role))
    throw validationFailed([
      { path: '/role', message: `the experiment has no role called ‘${role}’ for participants` },
    ])
  const now = clock.now()
  const language = preferredLanguage(languagesOf(definition), body.languages ?? [])
  const soloRoom = groupSizeOf(definition).max === 1
  return {
    ...origin,
    experimentId: body.experimentId,
    person: { issuer: identity.issuer, subject: identity.subject },
    role,
    drawRoleFrom: soloRoom && role === anyRole ? rolesToDraw(definition) : [],
    metadata: {
      ...joinMetadata(identity, sent),
      // Only where there is a choice: it is kept with what else the participant came with.
      ...(definition.languages && { language }),
    },
    language,
    softwareVersion,
    revision: experiment.revision,
    allowRepeat: definition.completion?.allowRepeat ?? false,
    needsAccount: identity.guest !== undefined && definition.access === 'signed_in',
    needsConsent: definition.consent !== undefined,
    soloRoom,
    quota,
    hasSpace: space.has('data'),
    podId,
    newIds: { sessionId: sessionIdFor(identity), participantId: newParticipantId(), roomId: newRoomId() },
    now,
    expiresAt: now + limits.sessionLifetimeMs,
  }
}

const previewIssue = {
  path: '/metadata/assignmentId',
  message: 'belongs to a preview at Mechanical Turk; the worker has to accept the HIT before they can join',
}

const sessionIdFor = ({ guest }: Identity): string =>
  guest ? newGuestSessionId(guest.device) : newSessionId()

/**
 * The metadata to store. If the recruiting site has not filled in a placeholder, only the name of its parameter is kept,
 * so that the researcher sees that the link is wrong or was a preview.
 */
function joinMetadata({ guest }: Identity, sent: Record<string, unknown>): Record<string, unknown> {
  const isUnfilled = (value: unknown) => typeof value === 'string' && isUnfilledPlaceholder(value)
  const unfilled = Object.keys(sent).filter((name) => isUnfilled(sent[name]))
  const kept =
    unfilled.length === 0
      ? sent
      : {
          ...Object.fromEntries(Object.entries(sent).filter(([, value]) => !isUnfilled(value))),
          unfilledParameters: unfilled,
        }
  const externalId = guest?.externalId
  return externalId === undefined || isSameId(externalId, kept) ? kept : { ...kept, externalId }
}

/**
 * X46: people are paid by this id, so the one that the token was given for counts. A token may have it with its source, as
 * that of the pages does (`prolific:5f2c`).
 */
const isSameId = (externalId: string, { externalId: sent, source }: Record<string, unknown>): boolean =>
  typeof sent === 'string' && (sent === externalId || `${source}:${sent}` === externalId)

const closedSentences = {
  status: 'The experiment does not accept participants at the moment.',
  full: 'The experiment has all the participants it needs.',
  already_completed: 'You have taken part in this experiment already.',
}

/** People who come back after the end learn how it ended, and may still withdraw: the page is as it was. */
async function endedBefore(
  deps: SessionDeps,
  identity: Identity,
  origin: Origin,
  completed: SessionRecord | undefined,
): Promise<AppError> {
  const { experiments, tokens, clock, bindIp } = deps
  const refusal = (details: Record<string, unknown>) =>
    new AppError(
      'EXPERIMENT_CLOSED',
      { reason: 'already_completed', ...details },
      closedSentences.already_completed,
    )
  if (!completed?.completion || !mayUse(identity, completed.sessionId)) return refusal({})
  const { experimentId, revision, sessionId, expiresAt, completion } = completed
  const { withdrawal: deletes } = await experiments.definition(experimentId, revision)
  // R13: elsewhere the session is refused, and so would be the withdrawal. Of whoever declined there is nothing to delete.
  const isTheirs = isUsableFrom(origin, completed, bindIp) && !completed.isHeld
  const canWithdraw = deletes !== undefined && clock.now() < expiresAt && isTheirs
  const withdrawal = { deletes, sessionId, sessionToken: tokens.sign(sessionId, expiresAt) }
  const payment = await shownPayment(deps, completed, completion)
  return refusal({ ...endOf(completion), ...(payment && { payment }), ...(canWithdraw && { withdrawal }) })
}

function sessionOf(outcome: Exclude<JoinOutcome, { kind: 'closed' }>, experimentId: string): SessionRecord {
  switch (outcome.kind) {
    case 'joined':
      return outcome.session
    case 'not_found':
      throw new AppError('EXPERIMENT_NOT_FOUND', { experimentId })
    case 'needs_account':
      throw needsAccount()
    case 'over_quota':
      throw quotaExceeded(outcome.over)
    case 'no_space':
      throw tooLittleSpace()
    default:
      return assertNever(outcome)
  }
}

/** For people who come too late, with the code and the way back that the definition has for them. */
export function closedTo(
  definition: ExperimentDefinition,
  reason: 'full' | 'status',
  metadata: Record<string, unknown>,
): AppError {
  const completion = lateCompletionFor(definition, reason, metadata)
  return new AppError('EXPERIMENT_CLOSED', { reason, ...completion }, closedSentences[reason])
}

/** R51: the experiment takes no guests, or no longer. */
export const needsAccount = (): AppError =>
  new AppError('FORBIDDEN', { reason: 'signed_in' }, 'This experiment is only for people who sign in.')

const endOf = ({ outcome, completionCode, redirectUrl }: Completion) => ({
  outcome,
  completionCode,
  redirectUrl,
})
