import { ApiRefused, asGuest } from '@atrium/client'
import { developmentIdentity } from '../identity/development.ts'
import { type Identity, readSignInSettings } from '../identity/identity.ts'
import type { Arrival } from './arrival.ts'
import { experimentOf, hasUsedAccount, rememberAccount, visitorOfThisBrowser } from './journey/remembered.ts'
import { inThisPane } from './pane.ts'

/** The person at the page. Where there is a provider, people who open the link of a study need no account (R51). */
export async function findIdentity(arrival: Arrival): Promise<Identity> {
  if (arrival.kind === 'try') return triedBy(arrival.experimentId)
  const settings = await readSignInSettings()
  const { externalId, metadata = {} } = 'visitor' in arrival ? arrival.visitor : {}
  if (settings.kind === 'development')
    return developmentIdentity({ sub: externalId ?? visitorOfThisBrowser() })
  const signIn = async () => {
    // Loaded on demand: most people never sign in.
    const { providerIdentity } = await import('../identity/provider.ts')
    return await providerIdentity(settings)
  }
  const experimentId = studyForGuests(arrival)
  return experimentId === null
    ? await signIn()
    : guestIdentity({ experimentId, externalId, metadata }, signIn)
}

/** TR1: always a guest, and in each pane another one. Another tab is another person, too. */
function triedBy(experimentId: string): Identity {
  const name = inThisPane(`atrium.try.${experimentId}`)
  const idToken = asGuest({
    baseUrl: location.origin,
    experimentId,
    memory: {
      recall: () => sessionStorage.getItem(name),
      keep: (secret) => sessionStorage.setItem(name, secret),
    },
  })
  return { idToken: async (options = { isRefresh: false }) => await idToken(options) }
}

/** The study to join as a guest; null for people who have to sign in, or want to. */
function studyForGuests(arrival: Arrival): string | null {
  if (arrival.kind !== 'join' && arrival.kind !== 'room') return null
  const { hasAccount, externalId } = arrival.visitor
  // Only this browser remembers the study of a room; otherwise the history of the account has it.
  const experimentId = arrival.kind === 'join' ? arrival.experimentId : experimentOf(arrival.roomId)
  if (experimentId === null) return null
  if (hasAccount) rememberAccount(experimentId)
  const usesAccount = hasAccount || (externalId === undefined && hasUsedAccount(experimentId))
  return usesAccount ? null : experimentId
}

/** A guest, unless the study is only for people who sign in. */
function guestIdentity(
  who: { experimentId: string; externalId: string | undefined; metadata: Record<string, string> },
  signIn: () => Promise<Identity>,
): Identity {
  const guestToken = asGuest({ baseUrl: location.origin, ...who })
  let account: Identity | undefined
  return {
    async idToken(options = { isRefresh: false }) {
      if (account) return await account.idToken(options)
      try {
        return await guestToken(options)
      } catch (error) {
        if (!isForAccountsOnly(error)) throw error
      }
      // So that the page uses the provider's response right away when it comes back.
      rememberAccount(who.experimentId)
      account = await signIn()
      return await account.idToken(options)
    },
  }
}

const isForAccountsOnly = (error: unknown): boolean =>
  error instanceof ApiRefused && error.code === 'FORBIDDEN' && error.details.reason === 'signed_in'
