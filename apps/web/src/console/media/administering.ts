import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CallFailed } from '../../api/call.ts'
import { useSession } from '../session/session.ts'

const refusedKey = ['sign-in', 'is-no-administrator']

/**
 * Whether to offer what only administrators may do. With a provider only the platform knows; it is offered until the
 * platform refuses it once.
 */
export function useMayAdminister(): boolean {
  const { chosenRole } = useSession()
  const { data: isRefused = false } = useQuery<boolean>({ queryKey: refusedKey, enabled: false })
  return chosenRole === undefined ? !isRefused : chosenRole === 'admin'
}

/** To be told of failures, so that a refusal is remembered. */
export function useNoteRefusal(): (error: unknown) => void {
  const queryClient = useQueryClient()
  return (error) => {
    if (error instanceof CallFailed && error.code === 'FORBIDDEN') queryClient.setQueryData(refusedKey, true)
  }
}
