import { experimentRoutes } from '@atrium/contract'
import { useQuery } from '@tanstack/react-query'
import { useApi } from '../session/session.ts'
import { type ExportChoice, exportQueryOf } from './export-choice.ts'
import { rowsIn } from './preview-rows.ts'

/** Calls of models are on a page of their own, and an archive is no table. */
export const hasPreview = ({ table }: ExportChoice): boolean => table !== 'agent_turns' && table !== 'all'

/** The first page of the table, whatever the format of the file will be. A codebook has only one. */
export function usePreview(experimentId: string, choice: ExportChoice) {
  const api = useApi()
  const query = {
    ...exportQueryOf({ ...choice, format: 'jsonl' }),
    ...(choice.table !== 'codebook' && { cursor: 'start' }),
  }
  return useQuery({
    queryKey: ['experiments', experimentId, 'preview', query],
    queryFn: async ({ signal }) => {
      const answer = await api.callRaw(experimentRoutes.export, { params: { experimentId }, query, signal })
      return rowsIn(await answer.text())
    },
  })
}
