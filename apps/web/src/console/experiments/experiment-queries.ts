import { type ExperimentStatus, experimentRoutes, type WrittenDefinition } from '@atrium/contract'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../session/session.ts'

const keys = {
  list: ['experiments'],
  one: (experimentId: string) => ['experiments', experimentId],
} as const

const liveMs = 3_000

export function useExperiments() {
  const api = useApi()
  return useQuery({
    queryKey: keys.list,
    queryFn: async ({ signal }) => (await api.call(experimentRoutes.list, { signal })).experiments,
  })
}

export function useExperiment(experimentId: string) {
  const api = useApi()
  return useQuery({
    queryKey: keys.one(experimentId),
    queryFn: ({ signal }) => api.call(experimentRoutes.read, { params: { experimentId }, signal }),
  })
}

/** Refetched every few seconds, except while the browser tab is hidden. */
export function useMonitor(experimentId: string) {
  const api = useApi()
  return useQuery({
    queryKey: [...keys.one(experimentId), 'monitor'],
    queryFn: ({ signal }) => api.call(experimentRoutes.monitor, { params: { experimentId }, signal }),
    refetchInterval: liveMs,
  })
}

export function useActivity(experimentId: string, minutes: number) {
  const api = useApi()
  return useQuery({
    queryKey: [...keys.one(experimentId), 'activity', minutes],
    queryFn: ({ signal }) =>
      api.call(experimentRoutes.activity, {
        params: { experimentId },
        query: { minutes: String(minutes) },
        signal,
      }),
    refetchInterval: 5 * liveMs,
    // The old range stays until the new one arrives, so that the chart does not flicker.
    placeholderData: keepPreviousData,
  })
}

export function useStatusChange(experimentId: string) {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (change: { status: ExperimentStatus; revision?: number }) =>
      api.call(experimentRoutes.changeStatus, { params: { experimentId }, body: change }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: keys.list }),
  })
}

export function useRemoval(experimentId: string) {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => api.call(experimentRoutes.remove, { params: { experimentId } }),
    // Only the list: the page of the study is still open, and would ask for what is gone.
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keys.list, exact: true }),
  })
}

/** A study that is only a draft: nobody gets it before it is published. */
export function useBeginStudy() {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (definition: unknown) => api.call(experimentRoutes.begin, { body: { definition } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keys.list }),
  })
}

/** Saves a new revision, unless somebody else has saved one since `basedOn`. */
export function useRevise(experimentId: string) {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ definition, basedOn }: { definition: WrittenDefinition; basedOn: number }) =>
      api.call(experimentRoutes.revise, {
        params: { experimentId },
        query: { basedOn: String(basedOn) },
        body: definition,
      }),
    // Also after a refusal: what somebody else has saved is shown then.
    onSettled: () => queryClient.invalidateQueries({ queryKey: keys.list }),
  })
}
