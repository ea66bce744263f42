import {
  type ColumnType,
  type Component,
  columnsOfRows,
  declaredColumns,
  type ExperimentDefinition,
  type ExportColumn,
  rowsIn,
  type TrialCell,
} from '@atrium/contract'
import { componentTypeOf, namesInTimeline, recordedSchemaOf } from '@atrium/contract/components'
import { hasTrials } from '@atrium/flow'
import { validationFailed } from '../../../kernel/app-error.ts'
import { createStudyColumns, maxColumns } from '../wide/study-columns.ts'
import { questionsOf } from '../wide/wide-columns.ts'
import { type AnswerPart, partsOfAnswers } from './answer-parts.ts'
import { trialVariablesOf } from './trial-variables.ts'

/** What a column of the study holds, in one revision. */
export type TrialColumnSource =
  | { kind: 'trial_answer'; stateId: string; component: Component; part: AnswerPart }
  | { kind: 'trial_answer_time'; stateId: string; component: Component }
  | { kind: 'trial_variable'; name: string }
  | { kind: 'table_column'; name: string; tables: readonly string[] }
  | { kind: 'timeline_data' | 'timeline_question'; name: string; components: readonly string[] }

type OnSource = (column: ExportColumn, revision: number, source: TrialColumnSource) => void

/** Where the answers to a component go. */
export interface AnswerColumns {
  parts: readonly { path: readonly string[]; column: ExportColumn }[]
  responseTime: ExportColumn
}

export interface TrialColumns {
  columns: ExportColumn[]
  /** The revisions that they are of. */
  revisions: ReadonlySet<number>
  answersTo(stateId: string, componentId: string): AnswerColumns | undefined
  /** By the name that the table, or the timeline, has for it. */
  cells: ReadonlyMap<string, ExportColumn>
  variables: ReadonlyMap<string, ExportColumn>
  data: ReadonlyMap<string, ExportColumn>
  questions: ReadonlyMap<string, ExportColumn>
}

/** Components with trials of their own, which have rows of their own. */
export const trialsRunBy = ({ type }: Component) => componentTypeOf(type).runs

/** R66: the columns of the table `trials` that follow from the study, with the rows of its tables in their place. */
// One function, because all kinds of columns take their names from the same set.
export function createTrialColumns(onSource: OnSource = () => undefined) {
  const declared = declaredColumns('trials')
  const studyColumns = createStudyColumns(declared, { ofMixed: 'text', tooWide })
  const revisions = new Set<number>()
  const cells = new Map<string, ExportColumn>()
  const variables = new Map<string, ExportColumn>()
  const data = new Map<string, ExportColumn>()
  const questions = new Map<string, ExportColumn>()
  const answers = new Map<string, AnswerColumns>()
  const ofAnswers: ExportColumn[] = []

  const named = (known: Map<string, ExportColumn>, prefix: string, name: string, wanted: Wanted) => {
    const { column } = studyColumns.columnFor(`${prefix} ${name}`, { name: `${prefix}_${name}`, ...wanted })
    known.set(name, column)
    return column
  }
  const ofAnswer = (key: string, wanted: ExportColumn) => {
    const { column, isNew } = studyColumns.columnFor(key, wanted)
    if (isNew) ofAnswers.push(column)
    return column
  }

  function addCells(revision: number, { blocks = [], tables }: ExperimentDefinition): void {
    const used = new Set(blocks.filter(hasTrials).map(({ trials }) => trials.table))
    const columns = [...used].flatMap((table) => {
      const rows = rowsIn(tables, table)
      return columnsOfRows(rows).map((name) => ({ name, table, type: typeOf(rows.map((row) => row[name])) }))
    })
    for (const [name, ofName] of Map.groupBy(columns, (column) => column.name)) {
      const description = `Column ‘${name}’ of the row that was played`
      for (const { type } of ofName) named(cells, 'row', name, { type, description })
      const column = cells.get(name)
      if (column)
        onSource(column, revision, { kind: 'table_column', name, tables: ofName.map(({ table }) => table) })
    }
  }

  function addVariables(revision: number, definition: ExperimentDefinition): void {
    for (const { name, type } of trialVariablesOf(definition)) {
      const description = `What the participant’s variable ‘${name}’ held at the end of the trial`
      onSource(named(variables, 'var', name, { type, description }), revision, {
        kind: 'trial_variable',
        name,
      })
    }
  }

  function addAnswers(revision: number, definition: ExperimentDefinition): void {
    const { blocks = [] } = definition
    const inTrials = new Set(blocks.filter(hasTrials).flatMap(({ states }) => states))
    for (const { stateId, componentId, component } of questionsOf(definition)) {
      if (!inTrials.has(stateId) || trialsRunBy(component)) continue
      const name = `${stateId}__${componentId}`
      const where = `‘${componentId}’ in the state ‘${stateId}’ in that trial`
      const parts = partsOfAnswers(recordedSchemaOf(component) ?? {}).map((part) => {
        const column = ofAnswer(keyOf('answer', stateId, componentId, ...part.path), {
          name: [name, ...part.path].join('__'),
          type: part.type,
          description: `Last answer to ${where}`,
        })
        onSource(column, revision, { kind: 'trial_answer', stateId, component, part })
        return { path: part.path, column }
      })
      const responseTime = ofAnswer(keyOf('time', stateId, componentId), {
        name: `${name}__rt_ms`,
        type: 'number',
        description: `Response time of the answer to ${where}`,
        unit: 'ms',
      })
      onSource(responseTime, revision, { kind: 'trial_answer_time', stateId, component })
      const known = answers.get(keyOf(stateId, componentId))?.parts ?? []
      const added = parts.filter(({ column }) => known.every((one) => one.column !== column))
      answers.set(keyOf(stateId, componentId), { parts: [...known, ...added], responseTime })
    }
  }

  function addTimelines(revision: number, definition: ExperimentDefinition): void {
    const timelines = new Map(
      questionsOf(definition).flatMap(({ componentId, component }) =>
        trialsRunBy(component) === 'timeline' ? [[componentId, namesInTimeline(component)] as const] : [],
      ),
    )
    const inData = [...timelines].flatMap(([id, names]) =>
      [...names.data].map(([name, values]) => ({ id, name, values })),
    )
    for (const [name, found] of Map.groupBy(inData, (one) => one.name)) {
      const description = `‘${name}’ in the \`data\` of the jsPsych trial`
      const type = typeOf(found.flatMap(({ values }) => values))
      const column = named(data, 'data', name, { type, description })
      onSource(column, revision, { kind: 'timeline_data', name, components: found.map(({ id }) => id) })
    }
    const asked = [...timelines].flatMap(([id, names]) => [...names.questions].map((name) => ({ id, name })))
    for (const [name, found] of Map.groupBy(asked, (one) => one.name)) {
      const description = `Answer to the question ‘${name}’ of a survey in a jsPsych timeline`
      const column = named(questions, 'response', name, { type: 'text', description })
      onSource(column, revision, { kind: 'timeline_question', name, components: found.map(({ id }) => id) })
    }
  }

  return {
    add(revision: number, definition: ExperimentDefinition): void {
      revisions.add(revision)
      addCells(revision, definition)
      addVariables(revision, definition)
      addAnswers(revision, definition)
      addTimelines(revision, definition)
    },
    columns: (): TrialColumns => ({
      columns: [
        ...[...declared, ...cells.values(), ...variables.values()],
        ...[...ofAnswers, ...questions.values(), ...data.values()],
      ],
      answersTo: (stateId, componentId) => answers.get(keyOf(stateId, componentId)),
      ...{ revisions, cells, variables, data, questions },
    }),
  }
}

type Wanted = Omit<ExportColumn, 'name'>

/** Ids of components may contain anything but control characters. */
const keyOf = (...names: readonly string[]): string => names.join('\n')

/** Numbers and truth values keep their type where a column has nothing else. */
function typeOf(values: readonly (TrialCell | undefined)[]): ColumnType {
  const types = new Set(
    values.flatMap((value) => (value === null || value === undefined ? [] : typeof value)),
  )
  const [only] = types
  if (types.size !== 1) return 'text'
  if (only === 'number') return 'number'
  return only === 'boolean' ? 'flag' : 'text'
}

const tooWide = () =>
  validationFailed([
    {
      path: '/table',
      message: `the table ‘trials’ would have more than ${maxColumns} columns; ‘revision’ limits it to one revision`,
    },
  ])
