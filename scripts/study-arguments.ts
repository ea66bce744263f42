// What the commands that try a study understand in the same way: which study, and who comes.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

interface AttributesUsed {
  filters?: readonly { attribute: string }[]
  exclusions?: readonly (string | { same: string } | { different: string })[]
  balance?: readonly string[]
  compose?: readonly { when: string }[]
}

/** Something that the caller can put right. */
export class Misuse extends Error {}

/** A file, or the example of that name; undefined when there is neither. */
export function definitionFile(name: string): string | undefined {
  const example = fileURLToPath(new URL(`../examples/${name}.json`, import.meta.url))
  return [name, example].find((path) => path.endsWith('.json') && existsSync(path))
}

/** age=17:1,30:3 → 17 with the weight 1, 30 with the weight 3. */
export const attributesIn = (texts: readonly string[]): Record<string, Record<string, number>> =>
  Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf('=')
      if (at < 1) throw new Misuse('--attribute must look like age=17:1,30:3')
      return [text.slice(0, at), weightsIn('--attribute', text.slice(at + 1))]
    }),
  )

export const weightsIn = (name: string, text: string): Record<string, number> =>
  Object.fromEntries(
    text.split(',').map((part) => {
      const [value = '', weight = '1'] = part.split(':')
      return [value, positive(`the weight in ${name}`, weight, 1_000_000)]
    }),
  )

export function positive(name: string, text: string, max: number): number {
  const value = Number(text)
  if (!(value > 0 && value <= max))
    throw new Misuse(`${name} must be a number greater than 0 and at most ${max}`)
  return value
}

/** Matching looks at what nobody says: perhaps forgotten. */
export function unsaid(
  { filters = [], exclusions = [], balance = [], compose = [] }: AttributesUsed,
  said: object,
): string[] {
  const attributes = new Set([
    ...filters.map(({ attribute }) => attribute),
    ...exclusions.flatMap((rule) => (typeof rule === 'object' ? Object.values<string>(rule) : [])),
    ...balance,
    ...compose.flatMap(({ when }) =>
      [...when.matchAll(/\bmetadata\.([A-Za-z_]\w*)/g)].map(([, name = '']) => name),
    ),
  ])
  const missing = [...attributes].filter((name) => !Object.hasOwn(said, name))
  return missing.length === 0 ? [] : [`No simulated person has ${missing.join(', ')}; see --attribute`]
}
