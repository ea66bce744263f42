import { type ColumnType, type ExperimentDefinition, initialExpressionOf, variableOf } from '@atrium/contract'
import { hasTrials } from '@atrium/flow'

/** A participant variable that a state of a block with trials sets, with the type of its first value. */
interface TrialVariable {
  name: string
  type: ColumnType
}

/** Lists and objects, such as one that collects all reaction times, are left out: they would repeat in every row what is in the rows before. */
export function trialVariablesOf(definition: ExperimentDefinition): TrialVariable[] {
  const { blocks = [], states, variables = {} } = definition
  const inTrials = new Set(blocks.filter(hasTrials).flatMap(({ states }) => states))
  const set = states
    .filter(({ id }) => inTrials.has(id))
    .flatMap(({ components, onEnter = {}, onEnd = {} }) => [
      ...components.flatMap(({ saveTo }) => saveTo ?? []),
      ...Object.keys(onEnter),
      ...Object.keys(onEnd),
    ])
  return [...new Set(set)].flatMap((name) => {
    const { scope, initial } = variableOf(variables[name])
    const type = scope === 'participant' ? typeOf(initial) : undefined
    return type ? [{ name, type }] : []
  })
}

function typeOf(initial: unknown): ColumnType | undefined {
  if (initialExpressionOf(initial) !== undefined) return 'text'
  switch (typeof initial) {
    case 'number':
      return 'number'
    case 'boolean':
      return 'flag'
    case 'object':
      return initial === null ? 'text' : undefined
    default:
      return 'text'
  }
}
