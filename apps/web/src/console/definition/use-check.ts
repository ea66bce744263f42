import { type DefinitionChecked, type ExperimentDefinition, experimentRoutes } from '@atrium/contract'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useApi } from '../session/session.ts'

/** Short enough to look immediate, long enough not to check every letter. */
const pauseMs = 300

export interface Check {
  /** Of `text`; the last one known while a newer text is being checked. */
  checked: DefinitionChecked | undefined
  /** The text that was checked. */
  text: string
  /** Whether it is the present text, so that it may be saved. */
  isFresh: boolean
  error: Error | null
  again(): void
}

/** What the platform says about a definition, as JSON; a moment after the last change. It checks as it does on saving. */
export function useCheck(experimentId: string | undefined, text: string, isJson: boolean): Check {
  const api = useApi()
  const [settled] = useDebouncedValue(text, pauseMs)
  const isWanted = isJson && settled === text
  const check = useQuery({
    queryKey: ['check', experimentId, settled],
    queryFn: async ({ signal }) => {
      const body: ExperimentDefinition = JSON.parse(settled)
      const checked = await (experimentId === undefined
        ? api.call(experimentRoutes.check, { body, signal })
        : api.call(experimentRoutes.checkRevision, { params: { experimentId }, body, signal }))
      return { checked, text: settled }
    },
    enabled: isWanted,
    placeholderData: keepPreviousData,
    // Texts are long, and nobody comes back to the one before last.
    gcTime: 0,
  })
  const { checked, text: checkedText } = check.data ?? { checked: undefined, text }
  return {
    checked,
    text: checkedText,
    isFresh: isWanted && !check.isPlaceholderData && checked !== undefined && checkedText === text,
    error: isWanted ? check.error : null,
    again: () => void check.refetch(),
  }
}
