import { isUnfilledPlaceholder } from '@atrium/contract'
import type { Identity } from '../identity/index.ts'

/**
 * What is kept of the metadata of a join. A placeholder of the recruiting site that was not filled in is no id: only the
 * name of its parameter is kept, so that the researcher sees that the link is wrong, or that it was a preview.
 */
export function joinMetadata({ guest }: Identity, sent: Record<string, unknown>): Record<string, unknown> {
  const isUnfilled = (value: unknown) => typeof value === 'string' && isUnfilledPlaceholder(value)
  const unfilled = Object.keys(sent).filter((name) => isUnfilled(sent[name]))
  const kept =
    unfilled.length === 0
      ? sent
      : {
          ...Object.fromEntries(Object.entries(sent).filter(([, value]) => !isUnfilled(value))),
          unfilledParameters: unfilled,
        }
  const externalId = guest?.externalId
  return externalId === undefined || 'externalId' in kept ? kept : { ...kept, externalId }
}
