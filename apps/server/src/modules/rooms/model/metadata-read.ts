import { type ExperimentDefinition, identifyingParameters } from '@atrium/contract'
import type { Value } from '@atrium/expressions'
import { valueInLink } from '../../../kernel/value-in-link.ts'

const read = /\bmetadata\s*(?:\.\s*([A-Za-z_]\w*)|\[\s*(?:'([^']{1,200})'|\\"([^"]{1,200})\\")\s*\])/g

/** What the pages and rules of a definition read of the join metadata. Rather too much than too little: a text may say `metadata.x` too. */
export function metadataRead({
  states,
  globalComponents,
  variables,
  blocks,
}: ExperimentDefinition): string[] {
  const written = JSON.stringify([states, globalComponents, variables, blocks])
  const names = [...written.matchAll(read)].map(
    ([, plain, single, double]) => plain ?? single ?? double ?? '',
  )
  return [...new Set(names)].filter((name) => !identifyingParameters.has(name))
}

/** RM193: the part of somebody's metadata that their study reads. Only this enters the log of a room. */
export const metadataFor = (
  names: readonly string[],
  metadata: Readonly<Record<string, unknown>>,
): Record<string, Value> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = Object.hasOwn(metadata, name) ? valueInLink(metadata[name]) : undefined
      return value === undefined ? [] : [[name, value]]
    }),
  )
