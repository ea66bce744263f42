import {
  agentFigureRoutes,
  type ChangedCredential,
  type Credential,
  type CredentialPage,
  credentialRoutes,
  credentialsPerPage,
} from '@atrium/contract'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { Api } from '../../session/authorised-api.ts'
import { useApi } from '../../session/session.ts'

const credentialsKey = ['credentials'] as const

/** Only administrators can see as many: everybody’s are in their list. */
export const maxCredentials = 2_000

export function useCredentials({ isEnabled = true } = {}) {
  const api = useApi()
  return useQuery({
    queryKey: credentialsKey,
    queryFn: ({ signal }) => readCredentials(api, signal),
    enabled: isEnabled,
  })
}

async function readCredentials(api: Api, signal: AbortSignal): Promise<Credential[]> {
  const credentials: Credential[] = []
  let before: string | null = null
  do {
    const limit = String(credentialsPerPage.max)
    const query: Record<string, string> = before === null ? { limit } : { limit, before }
    const page: CredentialPage = await api.call(credentialRoutes.list, { query, signal })
    credentials.push(...page.credentials)
    before = page.next
  } while (before !== null && credentials.length < maxCredentials)
  return credentials
}

/** Adds a credential, or changes an existing one. */
export function useSaveCredential(credentialId: string | undefined) {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ apiKey, ...settings }: ChangedCredential) =>
      credentialId === undefined
        ? api.call(credentialRoutes.create, { body: { ...settings, apiKey: apiKey ?? '' } })
        : api.call(credentialRoutes.change, {
            params: { credentialId },
            body: { ...settings, ...(apiKey !== undefined && { apiKey }) },
          }),
    // The key is not kept in the memory of the page longer than needed.
    gcTime: 0,
    onSettled: () => queryClient.invalidateQueries({ queryKey: credentialsKey, exact: true }),
  })
}

export function useDeleteCredential() {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (credentialId: string) => api.call(credentialRoutes.remove, { params: { credentialId } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: credentialsKey, exact: true }),
  })
}

/** Starts a test, which may take minutes; `stop` ends it on the server as well. */
export function useCredentialTest(credentialId: string) {
  const api = useApi()
  const queryClient = useQueryClient()
  const running = useRef<AbortController>(undefined)
  const test = useMutation({
    mutationFn: () => {
      running.current = new AbortController()
      return api.call(credentialRoutes.test, {
        params: { credentialId },
        signal: running.current.signal,
      })
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: credentialsKey, exact: true }),
  })
  const isStopped = running.current?.signal.aborted ?? false
  return {
    start: () => test.mutate(),
    stop: () => running.current?.abort(),
    startedAt: test.isPending ? test.submittedAt : undefined,
    error: isStopped ? null : test.error,
    isDone: test.isSuccess,
  }
}

export function useCredentialFigures(credentialId: string, minutes: number) {
  const api = useApi()
  return useQuery({
    queryKey: [...credentialsKey, credentialId, 'figures', minutes],
    queryFn: ({ signal }) =>
      api.call(agentFigureRoutes.ofCredential, {
        params: { credentialId },
        query: { minutes: String(minutes) },
        signal,
      }),
    refetchInterval: 15_000,
    // The old range stays until the new one arrives, so that the charts do not flicker.
    placeholderData: keepPreviousData,
  })
}
