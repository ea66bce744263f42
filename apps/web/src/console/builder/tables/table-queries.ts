import { type NewTable, tableRoutes } from '@atrium/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../session/session.ts'

const tablesKey = ['tables'] as const

/** The tables that somebody has uploaded, without their rows. */
export function useTables({ isEnabled }: { isEnabled: boolean }) {
  const api = useApi()
  return useQuery({
    queryKey: tablesKey,
    queryFn: async ({ signal }) => (await api.call(tableRoutes.list, { signal })).tables,
    enabled: isEnabled,
  })
}

export function useUploadTable() {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: NewTable) => api.call(tableRoutes.create, { body }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: tablesKey }),
  })
}
