import { identityCalls } from '@atrium/contract'
import { call } from '../api/call.ts'
import type { Identity } from './identity.ts'

export interface DevelopmentPerson {
  sub: string
  name?: string
  roles?: string[]
}

/** With the embedded issuer anyone can sign in as anyone (R6). */
export function developmentIdentity(person: DevelopmentPerson): Identity {
  let known: Promise<string> | undefined
  const issue = async () => (await call(identityCalls.developmentToken, { body: person })).idToken
  return {
    async idToken({ isRefresh } = { isRefresh: false }) {
      if (isRefresh) known = undefined
      known ??= issue().catch((error: unknown) => {
        known = undefined
        throw error
      })
      return await known
    },
  }
}
