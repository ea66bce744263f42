import { ParameterType } from 'jspsych'

type Trial = Readonly<Record<string, unknown>>

/** Values of the parameters that the plugin of a trial declares as one of these types. */
function valuesOf(trial: Trial, types: readonly ParameterType[]): unknown[] {
  const info: unknown = typeof trial.type === 'function' ? Reflect.get(trial.type, 'info') : undefined
  const parameters: unknown = typeof info === 'object' && info !== null ? Reflect.get(info, 'parameters') : {}
  return Object.entries(Object(parameters)).flatMap(([name, declared]) =>
    types.includes(Reflect.get(Object(declared), 'type')) ? [trial[name]] : [],
  )
}

export const picturesOf = (trial: Trial): string[] =>
  valuesOf(trial, [ParameterType.IMAGE]).filter((value) => typeof value === 'string')

/** The keys that a trial waits for, once its defaults are filled in; null stands for any key. */
export function keysOf(trial: Trial): readonly (string | null)[] {
  // Pages of instructions with buttons of their own.
  if (trial.allow_keys === false || trial.show_clickable_nav === true) return []
  const given = valuesOf(trial, [ParameterType.KEY, ParameterType.KEYS]).flat(3)
  const named = given.filter(
    (key): key is string => typeof key === 'string' && key !== 'ALL_KEYS' && key !== 'NO_KEYS',
  )
  if (named.length > 0) return [...new Set(named)]
  return given.includes('ALL_KEYS') ? [null] : []
}
