/**
 * What a sign-in at the provider must remember while the browser is away, for this tab only. The ID token is never
 * kept: after a reload the provider is asked again.
 */
export interface SignInUnderWay {
  state: string
  nonce: string
  verifier: string
  /** The page that asked, as path and query. */
  returnTo: string
  /** What the provider added to the address it led back to. */
  answer?: string
}

const key = 'atrium.sign-in'

export const rememberSignIn = (underWay: SignInUnderWay): void =>
  sessionStorage.setItem(key, JSON.stringify(underWay))

export function recallSignIn(): SignInUnderWay | undefined {
  const kept = sessionStorage.getItem(key)
  return kept === null ? undefined : (JSON.parse(kept) as SignInUnderWay)
}

export const forgetSignIn = (): void => sessionStorage.removeItem(key)
