/**
 * What this tab remembers while the browser is at the provider's sign-in page. The ID token is never stored: after a
 * reload the provider is asked again.
 */
export interface PendingSignIn {
  state: string
  nonce: string
  verifier: string
  /** Path and query of the page that started the sign-in. */
  returnTo: string
  /** The query that the provider added to the redirect address. */
  answer?: string
}

const key = 'atrium.sign-in'

export const rememberSignIn = (pending: PendingSignIn): void =>
  sessionStorage.setItem(key, JSON.stringify(pending))

export function recallSignIn(): PendingSignIn | undefined {
  const kept = sessionStorage.getItem(key)
  return kept === null ? undefined : (JSON.parse(kept) as PendingSignIn)
}

export const forgetSignIn = (): void => sessionStorage.removeItem(key)
