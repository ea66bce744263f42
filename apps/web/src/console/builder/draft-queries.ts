import { type DraftView, draftRoutes, type WrittenDefinition } from '@atrium/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { CallFailed } from '../../api/call.ts'
import { useApi } from '../session/session.ts'
import type { Rival } from './work.ts'

/** Once, when the builder opens. */
export function useStoredDraft(experimentId: string, isEnabled: boolean) {
  const api = useApi()
  return useQuery({
    queryKey: ['experiments', experimentId, 'draft'],
    queryFn: ({ signal }) => api.call(draftRoutes.read, { params: { experimentId }, signal }),
    enabled: isEnabled,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

const lookMs = 10_000

/** Whether somebody else has changed the draft since `version`, looked for every few seconds. */
export function useNewerDraft(experimentId: string, version: number | undefined): DraftView | undefined {
  const api = useApi()
  const { data } = useQuery({
    queryKey: ['newer-draft', experimentId, version],
    queryFn: ({ signal }) =>
      api.call(draftRoutes.read, {
        params: { experimentId },
        query: { known: String(version ?? 0) },
        signal,
      }),
    enabled: version !== undefined,
    refetchInterval: lookMs,
    gcTime: 0,
  })
  return data
}

export function useDraftCalls(experimentId: string) {
  const api = useApi()
  const client = useQueryClient()
  const params = { experimentId }
  return {
    read: () => api.call(draftRoutes.read, { params }),
    save: useMutation({
      mutationFn: (draft: { version: number; basedOn: number; definition: unknown }) =>
        api.call(draftRoutes.save, { params, body: draft }),
      onSuccess: () => client.removeQueries({ queryKey: ['experiments', experimentId, 'draft'] }),
    }),
    publish: useMutation({
      mutationFn: (draft: { version: number; basedOn: number; start?: boolean }) =>
        api.call(draftRoutes.publish, { params, body: draft }),
      // Also after a refusal: what somebody else has published is shown then.
      onSettled: () => client.invalidateQueries({ queryKey: ['experiments'] }),
    }),
    discard: (version: number) =>
      api.call(draftRoutes.discard, { params, query: { version: String(version) } }),
  }
}

/** Who was quicker, if that is why a save was refused. */
export function rivalIn(error: Error): Rival | undefined {
  if (!(error instanceof CallFailed) || error.code !== 'DRAFT_CONFLICT') return undefined
  const { version, savedBy, savedAt } = error.details
  return typeof version === 'number' && typeof savedBy === 'string' && typeof savedAt === 'number'
    ? { version, savedBy, savedAt, isYours: false }
    : undefined
}

/** The name of a person from issuer and subject: “urn:lab console:ada” → “ada”. */
export const personName = (savedBy: string): string => savedBy.split(/[\s:]/).at(-1) ?? savedBy

/** Any JSON can be on the workbench; only a checked one is played. */
export const asDefinition = (document: unknown): WrittenDefinition => document as WrittenDefinition
