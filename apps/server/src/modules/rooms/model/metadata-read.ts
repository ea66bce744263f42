import { type ExperimentDefinition, identifyingParameters } from '@atrium/contract'
import type { Value } from '@atrium/expressions'

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

const longestText = 200

/**
 * RM193: the part of somebody's metadata that their study reads. Only this enters the log of a room. Links carry nothing but
 * text, so what looks like a number or a truth value is one.
 */
export const metadataFor = (
  names: readonly string[],
  metadata: Readonly<Record<string, unknown>>,
): Record<string, Value> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = Object.hasOwn(metadata, name) ? plainValue(metadata[name]) : undefined
      return value === undefined ? [] : [[name, value]]
    }),
  )

function plainValue(given: unknown): Value | undefined {
  if (typeof given === 'number' || typeof given === 'boolean') return given
  if (typeof given !== 'string' || given.length > longestText) return undefined
  if (given === 'true' || given === 'false') return given === 'true'
  return /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/.test(given) ? Number(given) : given
}
