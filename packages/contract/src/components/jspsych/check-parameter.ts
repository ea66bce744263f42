import { error, type Finding, warning } from '../component-type.ts'
import { imageFindings } from '../settings.ts'
import type { PluginParameter } from './plugins.ts'
import { variableNamedBy } from './timeline.ts'

/** Whether a value is what the plugin expects; JSON may hold `null` where the plugin has a default. */
export function parameterFindings(parameter: PluginParameter, value: unknown, path: string): Finding[] {
  if (parameter.kind === 'function')
    return [error(path, 'takes a function, which a definition cannot contain')]
  if (value === null && !parameter.isRequired) return []
  // Its value is checked in the rows.
  if (variableNamedBy(value) !== undefined) return []
  if (!parameter.isArray) return oneFindings(parameter, value, path, false)
  return Array.isArray(value)
    ? listFindings(parameter, value, path)
    : [error(path, parameter.kind === 'keys' ? 'must be a list of keys' : 'must be a list')]
}

/** A grid is a list of lists. */
const listFindings = (parameter: PluginParameter, list: readonly unknown[], path: string): Finding[] =>
  list.flatMap((value, index) =>
    Array.isArray(value) && parameter.kind !== 'complex'
      ? listFindings(parameter, value, `${path}/${index}`)
      : oneFindings(parameter, value, `${path}/${index}`, true),
  )

function oneFindings(parameter: PluginParameter, value: unknown, path: string, isInList: boolean): Finding[] {
  if (variableNamedBy(value) !== undefined) return []
  const problem = problemWith(parameter, value, isInList)
  if (problem !== undefined) return [error(path, problem)]
  if (parameter.kind === 'image' && typeof value === 'string') return imageFindings(path, value)
  return parameter.kind === 'complex' ? nestedFindings(parameter, Object(value), path) : []
}

/** What the value must be, if it is something else. */
function problemWith(
  { kind, options = [] }: PluginParameter,
  value: unknown,
  isInList: boolean,
): string | undefined {
  switch (kind) {
    case 'boolean':
      // The squares of a grid are 0 and 1.
      return typeof value === 'boolean' || (isInList && (value === 0 || value === 1))
        ? undefined
        : 'must be true or false'
    case 'number':
      return typeof value === 'number' ? undefined : 'must be a number'
    case 'text':
    case 'html':
    case 'image':
      return typeof value === 'string' ? undefined : 'must be a text'
    case 'key':
      return isKey(value) ? undefined : 'must be the name of a key, such as ‘f’ or ‘ArrowLeft’'
    case 'keys':
      return isKeys(value, isInList) ? undefined : 'must be ‘ALL_KEYS’, ‘NO_KEYS’ or a list of keys'
    case 'select':
      return options.some((option) => option === value)
        ? undefined
        : `must be one of ${options.map((option) => `‘${option}’`).join(', ')}`
    case 'object':
    case 'complex':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
        ? undefined
        : 'must be an object'
    case 'function':
      return 'takes a function, which a definition cannot contain'
  }
}

const isKey = (value: unknown): boolean => typeof value === 'string' && /^.{1,20}$/u.test(value)

const isKeys = (value: unknown, isInList: boolean): boolean =>
  value === 'ALL_KEYS' ||
  value === 'NO_KEYS' ||
  (isInList && isKey(value)) ||
  (Array.isArray(value) && value.length > 0 && value.every(isKey))

function nestedFindings({ nested = {} }: PluginParameter, value: object, path: string): Finding[] {
  const missing = Object.entries(nested)
    .filter(([name, { isRequired }]) => isRequired && !Object.hasOwn(value, name))
    .map(([name]) => error(`${path}/${name}`, 'is missing'))
  return [
    ...missing,
    ...Object.entries(value).flatMap(([name, child]) => {
      const parameter = Object.hasOwn(nested, name) ? nested[name] : undefined
      return parameter
        ? parameterFindings(parameter, child, `${path}/${name}`)
        : [warning(`${path}/${name}`, `unknown field ‘${name}’`)]
    }),
  ]
}
