import { type NewProlificStudy, prolificRoutes } from '@atrium/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../session/session.ts'

const connectionKey = (experimentId: string) => ['experiments', experimentId, 'prolific']
const submissionsKey = (experimentId: string, studyId: string) => [...connectionKey(experimentId), studyId]

export function useProlific(experimentId: string) {
  const api = useApi()
  return useQuery({
    queryKey: connectionKey(experimentId),
    queryFn: ({ signal }) => api.call(prolificRoutes.read, { params: { experimentId }, signal }),
  })
}

/** A token connects; `null` disconnects. */
export function useConnect(experimentId: string) {
  const api = useApi()
  const queryClient = useQueryClient()
  const params = { experimentId }
  return useMutation({
    mutationFn: (token: string | null) =>
      token === null
        ? api.call(prolificRoutes.disconnect, { params })
        : api.call(prolificRoutes.connect, { params, body: { token } }),
    // The token is not kept in the memory of the page.
    gcTime: 0,
    onSuccess: (connection) => queryClient.setQueryData(connectionKey(experimentId), connection),
  })
}

export function useCreateStudy(experimentId: string) {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: NewProlificStudy) =>
      api.call(prolificRoutes.createStudy, { params: { experimentId }, body }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: connectionKey(experimentId), exact: true }),
  })
}

export function useSubmissions(experimentId: string, studyId: string) {
  const api = useApi()
  return useQuery({
    queryKey: submissionsKey(experimentId, studyId),
    queryFn: ({ signal }) =>
      api.call(prolificRoutes.submissions, { params: { experimentId, studyId }, signal }),
  })
}

export type SubmissionStep =
  | { kind: 'approve' }
  | { kind: 'pay'; amount: number }
  | { kind: 'settle'; isPaid: boolean }

/** Never repeated by itself: money is paid. */
export function useSubmissionStep(experimentId: string, studyId: string, submissionId: string) {
  const api = useApi()
  const queryClient = useQueryClient()
  const params = { experimentId, studyId, submissionId }
  return useMutation({
    retry: false,
    mutationFn: async (step: SubmissionStep): Promise<void> => {
      if (step.kind === 'approve') await api.call(prolificRoutes.approve, { params })
      else if (step.kind === 'pay')
        await api.call(prolificRoutes.payBonus, { params, body: { amount: step.amount } })
      else await api.call(prolificRoutes.settleBonus, { params, body: { isPaid: step.isPaid } })
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: submissionsKey(experimentId, studyId) }),
  })
}
