import { type ExperimentDefinition, variableOf } from '@atrium/contract'
import { componentTypeOf, isForEach, recordedSchemaOf, valueLabelsOf } from '@atrium/contract/components'
import type { Row } from '../tables/row.ts'
import type { TrialColumnSource } from '../trials/trial-columns.ts'
import type { ColumnSource } from '../wide/wide-columns.ts'

/** Cells of a codebook row. */
export type Meaning = Row

/** What a column of the study means in one revision. */
export function meaningOf(
  definition: ExperimentDefinition,
  source: ColumnSource | TrialColumnSource,
): Meaning {
  switch (source.kind) {
    case 'answer':
      return answerMeaning(source)
    case 'factor':
      return { values: JSON.stringify(source.levels.map((value) => ({ value }))) }
    case 'visits': {
      const state = definition.states.find(({ id }) => id === source.stateId)
      return { stateId: source.stateId, label: state?.name, minimum: 0 }
    }
    case 'variable':
    case 'payoff':
    case 'trial_variable':
      return variableMeaning(definition, source)
    case 'trial_answer':
      return trialAnswerMeaning(source)
    case 'trial_answer_time': {
      const { stateId, component } = source
      return { stateId, componentId: component.id, componentType: component.type, minimum: 0 }
    }
    case 'table_column':
      return {
        description: `Column ‘${source.name}’ of the row that was played, from ${quoted('table', source.tables)}`,
      }
    case 'timeline_data':
      return {
        description: `‘${source.name}’ in the \`data\` of the jsPsych trial, in ${quoted('component', source.components)}`,
      }
    case 'timeline_question':
      return {
        description: `Answer to the question ‘${source.name}’ of a survey, in ${quoted('component', source.components)}`,
      }
  }
}

const quoted = (what: string, names: readonly string[]): string =>
  `${what}${names.length === 1 ? '' : 's'} ${names.map((name) => `‘${name}’`).join(', ')}`

function answerMeaning({ stateId, component, round }: ColumnSource & { kind: 'answer' }): Meaning {
  const { id: componentId, type } = component
  const label = 'label' in component ? component.label : undefined
  const schema: Range = recordedSchemaOf(component) ?? {}
  const values = valueLabelsOf(component)
  const records = componentTypeOf(type).records
  const where = `the state ‘${stateId}’${round === null ? '' : `, round ${round}`}`
  return {
    description: isForEach(component)
      ? `Last answers to ‘${componentId}’ in ${where} about each of the others, by alias. ${records}`
      : `Last answer to ‘${componentId}’ in ${where}. ${records}`,
    label: typeof label === 'string' ? label : undefined,
    unit: schema['x-unit'],
    values: values && JSON.stringify(values),
    minimum: schema.minimum,
    maximum: schema.maximum,
    ...{ stateId, componentId, componentType: type, round },
    schema: JSON.stringify(schema),
  }
}

function trialAnswerMeaning({
  stateId,
  component,
  part: { path, schema },
}: TrialColumnSource & { kind: 'trial_answer' }): Meaning {
  const meaning = answerMeaning({ kind: 'answer', stateId, component, round: null })
  const which = path.length === 0 ? '' : `, ‘${path.join(' › ')}’`
  const { records } = componentTypeOf(component.type)
  const description = `Last answer to ‘${component.id}’ in the state ‘${stateId}’ in that trial${which}. ${records}`
  const { minimum, maximum, 'x-unit': unit }: Range = schema
  return { ...meaning, description, minimum, maximum, unit, schema: JSON.stringify(schema) }
}

interface Range {
  minimum?: number
  maximum?: number
  'x-unit'?: string
}

/** Where a variable gets its values from: the texts that a reader of the data needs to understand it. */
function variableMeaning(
  { variables = {}, states }: ExperimentDefinition,
  { name, kind }: { name: string; kind: 'variable' | 'payoff' | 'trial_variable' },
): Meaning {
  const { scope = 'room', compute, initial } = variableOf(variables[name])
  const what =
    kind === 'payoff'
      ? `Value of ‘${name}’ when the participant’s part ended.`
      : kind === 'trial_variable'
        ? `What the participant’s variable ‘${name}’ held at the end of the trial.`
        : `Last value of the ${scope === 'participant' ? 'participant’s' : 'room’s'} variable ‘${name}’.`
  const saved = states.flatMap(({ id, components }) =>
    components.filter(({ saveTo }) => saveTo === name).map((component) => `‘${component.id}’ in ‘${id}’`),
  )
  const origin =
    compute !== undefined
      ? `Computed: ${compute}`
      : [
          `Initially ${shortened(JSON.stringify(initial ?? null))}.`,
          ...(saved.length > 0 ? [`Holds the answer to ${saved.join(', ')}.`] : []),
        ].join(' ')
  return { description: `${what} ${origin}` }
}

const longestValue = 200
const shortened = (text: string): string =>
  text.length > longestValue ? `${text.slice(0, longestValue)}…` : text
