import { ApiRefused, asGuest } from '@atrium/client'
import { developmentIdentity } from '../identity/development.ts'
import { type Identity, readSignInSettings } from '../identity/identity.ts'
import type { Arrival } from './arrival.ts'
import { experimentOf, hasUsedAccount, rememberAccount, visitorOfThisBrowser } from './journey/remembered.ts'

/** Who sits before the page. Where there is a provider, whoever opens the link of a study needs no account (R51). */
export async function findIdentity(arrival: Arrival): Promise<Identity> {
  const settings = await readSignInSettings()
  const { externalId } = 'visitor' in arrival ? arrival.visitor : {}
  if (settings.kind === 'development')
    return developmentIdentity({ sub: externalId ?? visitorOfThisBrowser() })
  const signIn = async () => {
    // Loaded only where somebody signs in: most people never do.
    const { providerIdentity } = await import('../identity/provider.ts')
    return await providerIdentity(settings)
  }
  const experimentId = studyForGuests(arrival)
  return experimentId === null ? await signIn() : guestIdentity({ experimentId, externalId }, signIn)
}

/** Null for whoever has to sign in first, or wants to. */
function studyForGuests(arrival: Arrival): string | null {
  if (arrival.kind !== 'join' && arrival.kind !== 'room') return null
  const { hasAccount, externalId } = arrival.visitor
  // Of a room only this browser knows which study it belongs to; else the history of an account does.
  const experimentId = arrival.kind === 'join' ? arrival.experimentId : experimentOf(arrival.roomId)
  if (experimentId === null) return null
  if (hasAccount) rememberAccount(experimentId)
  const usesAccount = hasAccount || (externalId === undefined && hasUsedAccount(experimentId))
  return usesAccount ? null : experimentId
}

/** A guest, unless the study is only for people who sign in. */
function guestIdentity(
  who: { experimentId: string; externalId: string | undefined },
  signIn: () => Promise<Identity>,
): Identity {
  const guestToken = asGuest({ baseUrl: location.origin, ...who })
  let account: Identity | undefined
  return {
    async idToken(wish = { isRefresh: false }) {
      if (account) return await account.idToken(wish)
      try {
        return await guestToken(wish)
      } catch (error) {
        if (!isForAccountsOnly(error)) throw error
      }
      // So that the provider's answer, with which the page comes back, is used at once.
      rememberAccount(who.experimentId)
      account = await signIn()
      return await account.idToken(wish)
    },
  }
}

const isForAccountsOnly = (error: unknown): boolean =>
  error instanceof ApiRefused && error.code === 'FORBIDDEN' && error.details.reason === 'signed_in'
