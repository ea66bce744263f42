import {
  type ColumnType,
  type Component,
  columnTypeOf,
  declaredColumns,
  type ExperimentDefinition,
  type ExportColumn,
  levelsOf,
  variableOf,
} from '@atrium/contract'
import { payoffVariablesOf, recordedSchemaOf } from '@atrium/contract/components'
import { validationFailed } from '../../../kernel/app-error.ts'
import { repeatableStates, roundsByState } from './repetition.ts'
import { createStudyColumns, maxColumns } from './study-columns.ts'

/** What a column of the study holds, in one revision. */
export type ColumnSource =
  | { kind: 'variable' | 'payoff'; name: string }
  | { kind: 'factor'; name: string; levels: readonly string[] }
  | { kind: 'visits'; stateId: string }
  | { kind: 'answer'; stateId: string; component: Component; round: number | null }

/** Told once for each column and revision. */
type OnSource = (column: ExportColumn, revision: number, source: ColumnSource) => void

/** Where the answers, variables and payoffs of a revision go. */
export interface RevisionColumns {
  /** The column of each factor, with the level that a condition has of it. */
  factors: readonly { column: ExportColumn; levelIn(condition: string | null): string | null }[]
  variables: ReadonlyMap<string, { column: ExportColumn; isOfRoom: boolean }>
  payoffs: ReadonlyMap<string, ExportColumn>
  /** By state. */
  visits: ReadonlyMap<string, ExportColumn>
  answer(stateId: string | null, componentId: string, round: number | null): ExportColumn | undefined
}

export interface WideColumns {
  columns: ExportColumn[]
  /** By revision. */
  revisions: ReadonlyMap<number, RevisionColumns>
}

/**
 * R47: the columns of the wide table, from every revision that is in it, so that they are known before the first row. What
 * has the same name in several revisions shares a column.
 */
// One function, because all kinds of columns take their names from the same set.
export function createWideColumns(onSource: OnSource = () => undefined, { withAnswers = true } = {}) {
  const declared = declaredColumns('participants')
  const studyColumns = createStudyColumns(declared, { ofMixed: 'json', tooWide })
  const groups: Record<'factors' | 'variables' | 'payoffs' | 'visits' | 'answers', ExportColumn[]> = {
    factors: [],
    variables: [],
    payoffs: [],
    visits: [],
    answers: [],
  }
  const revisions = new Map<number, RevisionColumns>()

  function columnFor(group: keyof typeof groups, key: string, wanted: ExportColumn): ExportColumn {
    const { column, isNew } = studyColumns.columnFor(`${group} ${key}`, wanted)
    if (isNew) groups[group].push(column)
    return column
  }

  const factorsOf = (revision: number, { conditions }: ExperimentDefinition) =>
    Object.entries(conditions?.factors ?? {}).map(([name, levels]) => {
      const description = `Level of the factor ‘${name}’ in their condition`
      const column = columnFor('factors', name, { name: `factor_${name}`, type: 'text', description })
      onSource(column, revision, { kind: 'factor', name, levels })
      const levelIn = (condition: string | null) => levelsOf(conditions, condition)?.[name] ?? null
      return { column, levelIn }
    })

  const variablesOf = (revision: number, definition: ExperimentDefinition) =>
    Object.entries(definition.variables ?? {}).map(([name, written]) => {
      const isOfRoom = variableOf(written).scope !== 'participant'
      const description = `Last value of the ${isOfRoom ? 'room’s' : 'participant’s'} variable ‘${name}’`
      const column = columnFor('variables', name, { name: `var_${name}`, type: 'json', description })
      onSource(column, revision, { kind: 'variable', name })
      return [name, { column, isOfRoom }] as const
    })

  const payoffsOf = (revision: number, definition: ExperimentDefinition) =>
    payoffVariablesOf(definition).map((name) => {
      const description = `Value of ‘${name}’ when the participant’s part ended`
      const column = columnFor('payoffs', name, { name: `payoff_${name}`, type: 'json', description })
      onSource(column, revision, { kind: 'payoff', name })
      return [name, column] as const
    })

  const visitsOf = (revision: number, definition: ExperimentDefinition) =>
    [...repeatableStates(definition)].map((stateId) => {
      const description = `How often the participant entered the state ‘${stateId}’`
      const column = columnFor('visits', stateId, { name: `${stateId}__visits`, type: 'whole', description })
      onSource(column, revision, { kind: 'visits', stateId })
      return [stateId, column] as const
    })

  function answersOf(revision: number, definition: ExperimentDefinition): Map<string, ExportColumn> {
    const rounds = roundsByState(definition)
    const answers = new Map<string, ExportColumn>()
    for (const { stateId, componentId, component, type } of questionsOf(definition)) {
      const last = rounds.get(stateId) ?? 1
      for (let round = 1; round <= last; round++) {
        const ending = last > 1 ? `__r${round}` : ''
        const key = keyOf(stateId, componentId, last > 1 ? round : null)
        const description = `Last answer to ‘${componentId}’ in the state ‘${stateId}’${last > 1 ? `, round ${round}` : ''}`
        const name = `${stateId}__${componentId}${ending}`
        const column = columnFor('answers', key, { name, type, description })
        onSource(column, revision, { kind: 'answer', stateId, component, round: last > 1 ? round : null })
        answers.set(key, column)
      }
    }
    return answers
  }

  return {
    add(revision: number, definition: ExperimentDefinition): void {
      const answers = withAnswers ? answersOf(revision, definition) : new Map<string, ExportColumn>()
      const rounds = roundsByState(definition)
      const homes = onlyHomes(definition)
      revisions.set(revision, {
        factors: factorsOf(revision, definition),
        variables: new Map(variablesOf(revision, definition)),
        payoffs: new Map(payoffsOf(revision, definition)),
        visits: new Map(withAnswers ? visitsOf(revision, definition) : []),
        answer(named, componentId, round) {
          const stateId = named ?? homes.get(componentId)
          if (stateId === undefined) return undefined
          const isRepeated = (rounds.get(stateId) ?? 1) > 1
          return answers.get(keyOf(stateId, componentId, isRepeated ? round : null))
        },
      })
    },
    columns: (): WideColumns => ({
      columns: [
        ...declared,
        ...groups.factors,
        ...groups.variables,
        ...groups.payoffs,
        ...groups.visits,
        ...groups.answers,
      ],
      revisions,
    }),
  }
}

/** Ids of components may contain anything but control characters. */
const keyOf = (stateId: string, componentId: string, round: number | null): string =>
  `${stateId}\n${componentId}\n${round ?? ''}`

export interface Question {
  stateId: string
  componentId: string
  component: Component
  type: ColumnType
}

/** Everything that can be answered, in the order of the states. */
export function questionsOf({ states, globalComponents = [] }: ExperimentDefinition): Question[] {
  return states.flatMap(({ id: stateId, components }) => {
    const shown = globalComponents.filter((component) => component.states?.includes(stateId) ?? true)
    return [...components, ...shown].flatMap((component) => {
      const schema = recordedSchemaOf(component)
      if (!schema) return []
      const type = columnTypeOf(schema)
      // A page may send a time as a text of any form, and 1.0 where a whole number is asked for.
      const kind = type === 'time' ? 'text' : type === 'whole' ? 'number' : type
      return [{ stateId, componentId: component.id, component, type: kind }]
    })
  })
}

/** The state of a component that is in one state only: events need not name it. */
function onlyHomes(definition: ExperimentDefinition): Map<string, string> {
  const byComponent = Map.groupBy(questionsOf(definition), ({ componentId }) => componentId)
  return new Map(
    [...byComponent].flatMap(([componentId, [first, second]]) =>
      first && !second ? [[componentId, first.stateId] as const] : [],
    ),
  )
}

const tooWide = () =>
  validationFailed([
    {
      path: '/table',
      message: `would have more than ${maxColumns} columns; ‘responses’ has the same answers as rows, and ‘revision’ limits the table to one revision`,
    },
  ])
