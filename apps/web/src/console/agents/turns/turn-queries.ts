import { agentTurnRoutes, roomRoutes } from '@atrium/contract'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../session/session.ts'

/** Requests can be long, and a page of them is read again every few seconds. */
const turnsPerPage = 10

export function useAgentTurns(roomId: string, isOpen: boolean) {
  const api = useApi()
  return useInfiniteQuery({
    queryKey: ['rooms', roomId, 'agent-turns'],
    queryFn: ({ pageParam, signal }) =>
      api.call(agentTurnRoutes.ofRoom, {
        params: { roomId },
        query: { limit: String(turnsPerPage), ...(pageParam !== undefined && { before: pageParam }) },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    // An ended room no longer changes.
    refetchInterval: isOpen && 4_000,
  })
}

/** R44: asks an agent to act now. */
export function useAskAgent(roomId: string) {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (participantId: string) => api.call(roomRoutes.prompt, { params: { roomId, participantId } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['rooms', roomId] }),
  })
}
