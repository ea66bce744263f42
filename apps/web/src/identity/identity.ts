import { identityRoutes, type SignInSettings } from '@atrium/contract'
import { call } from '../api/call.ts'

/** Who sits before the page, as the platform’s identity provider says it. */
export interface Identity {
  /**
   * An ID token; a fresh one when the one before was refused (`isRefresh`). At a provider that may mean to leave the
   * page for its sign-in: the promise never settles then.
   */
  idToken(wish?: { isRefresh: boolean }): Promise<string>
}

export const readSignInSettings = (): Promise<SignInSettings> => call(identityRoutes.signIn, {})
