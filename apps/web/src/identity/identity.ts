import { identityCalls, type SignInSettings } from '@atrium/contract'
import { call } from '../api/call.ts'

/** The person at the page, as the identity provider knows them. */
export interface Identity {
  /**
   * Returns an ID token, a new one if the last was refused (`isRefresh`). A provider may need the browser to leave for
   * its sign-in page; the promise then never settles.
   */
  idToken(options?: { isRefresh: boolean }): Promise<string>
}

export const readSignInSettings = (): Promise<SignInSettings> => call(identityCalls.signIn, {})
