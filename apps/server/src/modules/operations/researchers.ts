import type { Clock } from '../../kernel/clock.ts'
import { actorOf, type Identity, type IdentityCheck } from '../identity/index.ts'
import type { OperationsStore, SeenResearcher } from './operations.store.ts'

export interface ResearcherDeps {
  store: Pick<OperationsStore, 'noteResearcher'>
  clock: Clock
  onBackgroundError(error: unknown): void
}

/** Writing down each request would be one write for each; nobody needs to know it to the minute. */
const noteEveryMs = 5 * 60_000
/** Long before memory matters. Whoever is forgotten is written down once more. */
const maxRemembered = 10_000

/** Notes who uses the platform as a researcher or administrator, on the way through the identity check. */
export function createResearcherNotes({ store, clock, onBackgroundError }: ResearcherDeps) {
  const noted = new Map<string, { at: number; as: string }>()
  const writing = new Set<Promise<void>>()

  function note(identity: Identity): void {
    if (!identity.isResearcher || identity.key || identity.guest) return
    const at = clock.now()
    const seen: SeenResearcher = {
      person: actorOf(identity),
      email: identity.verifiedEmail ?? null,
      role: identity.isAdmin ? 'admin' : 'researcher',
      roleFrom: identity.isListedAdmin ? 'configuration' : 'token',
      at,
    }
    const as = [seen.role, seen.roleFrom, seen.email].join(' ')
    const before = noted.get(seen.person)
    if (before && before.as === as && at - before.at < noteEveryMs) return
    if (noted.size >= maxRemembered) noted.clear()
    noted.set(seen.person, { at, as })
    const write = store
      .noteResearcher(seen)
      .catch((error: unknown) => {
        // Their next request tries again.
        noted.delete(seen.person)
        onBackgroundError(error)
      })
      .finally(() => writing.delete(write))
    writing.add(write)
  }

  return {
    watch: (identities: IdentityCheck): IdentityCheck => ({
      async authenticate(authorization) {
        const identity = await identities.authenticate(authorization)
        note(identity)
        return identity
      },
    }),
    stop: async (): Promise<void> => void (await Promise.all(writing)),
  }
}
