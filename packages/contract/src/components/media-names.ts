import type { Conditions } from '../definition/conditions.ts'
import { initialExpressionOf, variableOf } from '../definition/definition.ts'
import { type MediaKind, mediaNameIn, plainMediaName } from '../media/media-files.ts'

/** A place of a definition that names an uploaded picture or sound, by id or by name. */
export interface MediaUse {
  named: { mediaId: string } | { name: string }
  /** What the place can show; null where any file may stand, as in a table. */
  kind: MediaKind | null
  /** JSON pointer into the definition. */
  path: string
}

const useOfName = (name: string, path: string): MediaUse => ({ named: { name }, kind: null, path })

/** Of a JSON pointer (RFC 6901). */
export const stepOf = (key: string): string => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`

/** Every `media:<name>` in a value, for example in the rows of a table. */
export function mediaNamesWithin(value: unknown, path: string): MediaUse[] {
  const name = mediaNameIn(value)
  if (name !== undefined) return [useOfName(name, path)]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => mediaNamesWithin(inner, path + stepOf(key)))
}

/** What variables begin with or are computed from. */
export function mediaNamesOfVariables(
  variables: Readonly<Record<string, unknown>> = {},
  withSecrets: boolean,
): MediaUse[] {
  return Object.entries(variables).flatMap(([key, declared]) => {
    const variable = variableOf(declared)
    if (variable.secret && !withSecrets) return []
    const path = `/variables${stepOf(key)}`
    const { initial, compute = '' } = variable
    // The short form is the value itself.
    const initialPath = initial === declared ? path : `${path}/initial`
    const expression = initialExpressionOf(initial)
    return [
      ...(expression === undefined
        ? mediaNamesWithin(initial, initialPath)
        : mediaNamesInExpression(expression, `${initialPath}/expression`)),
      ...mediaNamesInExpression(compute, `${path}/compute`),
    ]
  })
}

/** Levels of factors and names of conditions. */
export const mediaNamesOfConditions = ({ values, factors }: Partial<Conditions> = {}): MediaUse[] => [
  ...mediaNamesWithin(values, '/conditions/values'),
  ...mediaNamesWithin(factors, '/conditions/factors'),
]

/** Texts in quotes, as expressions have them. No name of a file has a backslash, so that escapes do not matter. */
const quotedNames = /'media:([^'\\]*)'|"media:([^"\\]*)"/g

/** For example both in `draw(['media:one.png', 'media:two.png'])`. */
export const mediaNamesInExpression = (expression: string, path: string): MediaUse[] =>
  [...expression.matchAll(quotedNames)].map(([, single, double]) =>
    useOfName(plainMediaName(single ?? double ?? ''), path),
  )
