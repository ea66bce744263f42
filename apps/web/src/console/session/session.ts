import { createContext, useContext } from 'react'
import type { Api } from './authorised-api.ts'

/** The person who is signed in, and their access to the platform. */
export interface Session {
  name: string
  /** As chosen in the development form; undefined with a provider, where only the platform knows the role. */
  chosenRole: string | undefined
  api: Api
  /** Undefined with a provider: the token is in memory only, and the provider’s session is not ours to end. */
  signOut: (() => void) | undefined
}

export const SessionContext = createContext<Session | undefined>(undefined)

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('Nobody is signed in here: useSession belongs inside SessionGate.')
  return session
}

export const useApi = (): Api => useSession().api
