import { type ApiKey, type KeyPage, keyRoutes, keysPerPage, type NewKey } from '@atrium/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Api } from '../session/authorised-api.ts'
import { useApi } from '../session/session.ts'

const keysKey = ['keys'] as const

/** Only administrators can see as many: everybody’s are in their list. */
export const maxKeys = 1_000

export function useKeys() {
  const api = useApi()
  return useQuery({ queryKey: keysKey, queryFn: ({ signal }) => readKeys(api, signal) })
}

async function readKeys(api: Api, signal: AbortSignal): Promise<ApiKey[]> {
  const keys: ApiKey[] = []
  let before: string | null = null
  do {
    const limit = String(keysPerPage.max)
    const query: Record<string, string> = before === null ? { limit } : { limit, before }
    const page: KeyPage = await api.call(keyRoutes.list, { query, signal })
    keys.push(...page.keys)
    before = page.next
  } while (before !== null && keys.length < maxKeys)
  return keys
}

export function useCreateKey() {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: NewKey) => api.call(keyRoutes.create, { body }),
    // The key is not kept in the memory of the page longer than it is shown.
    gcTime: 0,
    onSettled: () => queryClient.invalidateQueries({ queryKey: keysKey }),
  })
}

export function useRevokeKey() {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (keyId: string) => api.call(keyRoutes.revoke, { params: { keyId } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: keysKey }),
  })
}
