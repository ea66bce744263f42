import type { ValidationIssue } from '@atrium/contract'
import { limits } from '@atrium/contract'

const bounds = limits.definition

/**
 * R60: finds what is too large in a definition, valid or not. It only counts, so it is cheap enough to run before
 * everything else. Each message names the limit.
 */
export function sizeIssues(definition: unknown): ValidationIssue[] {
  if (!isObject(definition)) return []
  const stages = listOf(definition.stages).filter(isObject)
  const parts = [definition, ...stages]
  const states = parts.flatMap((part) => listOf(part.states))
  const inStates = (name: string): number =>
    states.reduce((sum: number, state) => sum + (isObject(state) ? countOf(state[name]) : 0), 0)
  const counts: [path: string, found: number, max: number, noun: string][] = [
    ['/states', states.length, bounds.states, 'states'],
    [
      '/states',
      inStates('components') + countOf(definition.globalComponents),
      bounds.components,
      'components',
    ],
    ['/states', inStates('next'), bounds.transitions, 'transitions'],
    ['/states', inStates('onEnter') + inStates('onEnd'), bounds.assignments, 'assignments'],
    ['/variables', countOf(definition.variables), bounds.variables, 'variables'],
    ['/tables', countOf(definition.tables), limits.tables.perDefinition, 'tables'],
    ['/stages', stages.length, bounds.stages, 'stages'],
    ['', sum(parts.map(lengthOfExpressions)), bounds.expressionCharacters, 'characters in expressions'],
  ]
  return [
    ...counts.flatMap(([path, found, max, noun]) =>
      found > max
        ? [
            {
              path,
              message: `has ${inWords(found)} ${noun}; the limit is ${inWords(max)}`,
            },
          ]
        : [],
    ),
    ...groupSizeIssues(definition.matching),
    ...stages.flatMap((stage, at) => groupSizeIssues(stage.matching, `/stages/${at}/matching`)),
  ]
}

/** The schema has this limit too, but for a union it can only report that no form matches. */
export function groupSizeIssues(matching: unknown, path = '/matching'): ValidationIssue[] {
  const size = isObject(matching) ? matching.groupSize : undefined
  const sizes = isObject(size) ? [size.min, size.max] : [size]
  return sizes.some((one) => typeof one === 'number' && one > bounds.groupSize)
    ? [{ path: `${path}/groupSize`, message: `a group can have at most ${inWords(bounds.groupSize)} people` }]
    : []
}

function lengthOfExpressions({ states, variables, blocks, matching }: Record<string, unknown>): number {
  const inState = (state: unknown): unknown[] =>
    isObject(state)
      ? [
          ...valuesOf(state.onEnter),
          ...valuesOf(state.onEnd),
          ...valuesOf(state.rewire),
          ...listOf(state.next).map((transition) => fieldOf(transition, 'when')),
          fieldOf(state.end, 'when'),
        ]
      : []
  return [
    ...listOf(states).flatMap(inState),
    ...listOf(fieldOf(matching, 'compose')).map((part) => fieldOf(part, 'when')),
    ...listOf(blocks).flatMap((block) => {
      const trials = fieldOf(block, 'trials')
      return [
        ...['when', 'until'].map((name) => fieldOf(block, name)),
        ...['where', 'until'].map((name) => fieldOf(trials, name)),
      ]
    }),
    ...valuesOf(variables).flatMap((one) => [
      fieldOf(one, 'compute'),
      fieldOf(fieldOf(one, 'initial'), 'expression'),
    ]),
  ].reduce((sum: number, text) => sum + (typeof text === 'string' ? text.length : 0), 0)
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)

const valuesOf = (value: unknown): unknown[] => (isObject(value) ? Object.values(value) : [])
const fieldOf = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined)

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

const countOf = (value: unknown): number =>
  Array.isArray(value) ? value.length : isObject(value) ? Object.keys(value).length : 0

const inWords = (count: number): string => count.toLocaleString('en')
