import { type GuestBody, identityRoutes, isUnfilledPlaceholder } from '@atrium/contract'
import type { Routes } from '../../http/route.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Experiments } from '../experiments/index.ts'
import type { GuestIssuer } from '../identity/index.ts'
import type { Sessions } from '../sessions/index.ts'

export interface GuestDeps {
  guests: GuestIssuer
  experiments: Experiments
  sessions: Sessions
}

/** R51: an ID token for people recruited by a link. */
export function addGuestRoute(routes: Routes, { guests, experiments, sessions }: GuestDeps): void {
  /** `isKnown` if they may have been here before; newcomers need not be looked up. */
  function whoIs({ experimentId, guestSecret, ...body }: GuestBody) {
    const externalId = idIn(body.externalId)
    // The id first: in a laboratory many people use the same browser.
    if (externalId !== undefined) {
      const person = guests.people.withExternalId(experimentId, externalId)
      return { person, externalId, isKnown: true }
    }
    if (guestSecret === undefined) return { person: guests.people.newcomer(experimentId), isKnown: false }
    const person = guests.people.withSecret(experimentId, guestSecret)
    if (!person) throw new AppError('UNAUTHENTICATED', { reason: 'guest_secret' }, strangeSecret)
    return { person, isKnown: true }
  }

  routes.add(identityRoutes.guest, async ({ body }) => {
    const { experimentId } = body
    const { person, externalId, isKnown } = whoIs(body)
    const identity = guests.identityOf(person, experimentId, externalId)
    const refusal = await refusalOfNewcomers(experiments, experimentId)
    if (refusal && !(isKnown && (await sessions.takesPart(identity, experimentId)))) throw refusal
    return { idToken: await guests.issueToken(identity), guestSecret: person.secret }
  })
}

const strangeSecret = 'This guestSecret was not given for this experiment. Ask again without it.'

/**
 * Why newcomers are refused. People who have already joined can continue: they may resume, and must be able to see
 * their code (R14), even if their revision took guests and the newest does not.
 */
async function refusalOfNewcomers(
  experiments: Experiments,
  experimentId: string,
): Promise<AppError | undefined> {
  const { status, revision } = await experiments.find(experimentId)
  if (status !== 'recruiting')
    return new AppError(
      'EXPERIMENT_CLOSED',
      { reason: 'status' },
      'The experiment does not accept participants at the moment.',
    )
  const { access } = await experiments.definition(experimentId, revision)
  return access === 'signed_in'
    ? new AppError('FORBIDDEN', { reason: 'signed_in' }, 'This experiment is only for people who sign in.')
    : undefined
}

function idIn(externalId: string | undefined): string | undefined {
  const id = externalId?.trim()
  return id && !isUnfilledPlaceholder(id) ? id : undefined
}
