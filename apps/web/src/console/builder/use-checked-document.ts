import type { DefinitionFinding } from '@atrium/contract'
import { useDeferredValue, useMemo } from 'react'
import { useCheck } from '../definition/use-check.ts'

const none: readonly DefinitionFinding[] = []

/** What the platform says about the document; typing does not wait for it. */
export function useCheckedDocument(experimentId: string, document: unknown, isReadOnly: boolean) {
  const calm = useDeferredValue(document)
  const text = useMemo(() => JSON.stringify(calm), [calm])
  const check = useCheck(experimentId, text, !isReadOnly)
  const found = check.checked?.findings ?? none
  const [findings, notes] = useMemo(
    () => [found.filter(({ level }) => level !== 'note'), found.filter(({ level }) => level === 'note')],
    [found],
  )
  const isFresh = check.isFresh && calm === document
  return {
    findings,
    /** Nothing to correct. */
    notes,
    isValid: isFresh && check.checked?.isValid === true,
    state: isFresh ? ('checked' as const) : check.error ? ('failed' as const) : ('checking' as const),
    again: check.again,
  }
}
