import { createContext, useContext } from 'react'
import type { Api } from './authorised-api.ts'

/** Who is signed in, and the platform as they see it. */
export interface Session {
  name: string
  /** As chosen in the development form; what a provider’s account may do only the platform knows. */
  chosenRole: string | undefined
  api: Api
  /** Absent with a provider: the token is in memory only, and the provider’s own session is not ours to end. */
  signOut: (() => void) | undefined
}

export const SessionContext = createContext<Session | undefined>(undefined)

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('Nobody is signed in here: useSession belongs inside SessionGate.')
  return session
}

export const useApi = (): Api => useSession().api
