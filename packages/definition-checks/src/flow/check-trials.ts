import {
  columnsOfRows,
  type ExperimentDefinition,
  limits,
  rowsIn,
  type TrialTables,
  trialIndex,
  type ValidationIssue,
} from '@atrium/contract'
import { expressionIssues, type Names, nodesIn, parseExpression, type SyntaxNode } from '@atrium/expressions'
import { blockUnitsIn, hasTrials, type TrialBlock, type TrialRows, trialRowsOf, unitsOf } from '@atrium/flow'
import { type DeclaredNames, namesFor } from './definition-names.ts'
import { type Findings, finding, pointer } from './findings.ts'

/** R66: tables, and the blocks that play their rows. The rows of uploaded tables are in their place. */
export function checkTrials(definition: ExperimentDefinition, declared: DeclaredNames): Findings {
  const { blocks = [], tables = {} } = definition
  const found = blocks.flatMap((block, at) => (hasTrials(block) ? [{ block, at }] : []))
  const inTables = Object.keys(tables).flatMap((id) => tableIssues(tables, id))
  const inBlocks = found.flatMap(({ block, at }) => blockIssues(block, at, tables, declared))
  const errors = [...inTables, ...inBlocks]
  const used = new Set(found.map(({ block }) => block.trials.table))
  const unused = Object.keys(tables).filter((id) => !used.has(id))
  return {
    // How many rows are left can be said only where each condition can be evaluated.
    errors: errors.length > 0 ? errors : scarceRows(definition, trialRowsOf(definition)),
    warnings: unused.map((id) => finding(pointer('tables', id), `no block plays the rows of table ‘${id}’`)),
  }
}

function tableIssues(tables: TrialTables, id: string): ValidationIssue[] {
  const { rows, tableId } = tables[id] ?? {}
  const path = pointer('tables', id)
  if (rows && tableId !== undefined) return [finding(path, 'has ‘rows’ and ‘tableId’; keep one of them')]
  if (!rows && tableId === undefined)
    return [finding(path, 'needs ‘rows’, or the ‘tableId’ of a table that was uploaded')]
  if (!rows) return [finding(`${path}/tableId`, `there is no table ‘${tableId}’ that you may use`)]
  const columns = columnsOfRows(rows)
  if (columns.length > limits.tables.columns)
    return [finding(path, `has ${columns.length} columns; the limit is ${limits.tables.columns}`)]
  if (columns.length === 0) return [finding(path, 'has no columns; give its rows at least one')]
  return columns.includes(trialIndex)
    ? [
        finding(
          path,
          `a column cannot be called ‘${trialIndex}’, which is the position of a trial; rename it`,
        ),
      ]
    : []
}

function blockIssues(
  { trials }: TrialBlock,
  at: number,
  tables: TrialTables,
  declared: DeclaredNames,
): ValidationIssue[] {
  const path = pointer('blocks', at, 'trials')
  const { table, where, until } = trials
  if (!Object.hasOwn(tables, table)) {
    const meant = declared.suggest(table, Object.keys(tables))
    return [
      finding(`${path}/table`, `table ‘${table}’ does not exist${meant ? `; did you mean ‘${meant}’?` : ''}`),
    ]
  }
  return [
    ...(where === undefined ? [] : whereIssues(where, table, declared)).map((message) =>
      finding(`${path}/where`, message),
    ),
    ...(until === undefined ? [] : untilIssues(until, table, declared)).map((message) =>
      finding(`${path}/until`, message),
    ),
  ]
}

const nothing: ReadonlySet<string> = new Set()

function whereIssues(where: string, table: string, { trials, suggest }: DeclaredNames): string[] {
  const parsed = parseExpression(where)
  const outside = parsed.ok ? [...nodesIn(parsed.expression.root)].find(isFromOutside) : undefined
  if (outside)
    return [
      `the rows are chosen before anybody begins, so this can read only columns, as in trial.${trials.ofTable(table).example}`,
    ]
  const names: Names = {
    roomVariables: nothing,
    participantVariables: nothing,
    components: nothing,
    forEach: 'participant',
    sources: new Map([['trial', trials.ofTable(table)]]),
    suggest,
  }
  return expressionIssues(where, names)
}

const isFromOutside = (node: SyntaxNode): boolean =>
  node.kind === 'fact' ||
  node.kind === 'response' ||
  node.kind === 'responses' ||
  (node.kind === 'variable' && node.name !== 'trial')

/** F80: it sees what the end of a state sees, and the row that has just been played. */
function untilIssues(until: string, table: string, declared: DeclaredNames): string[] {
  const { trials, variables, movesTogether } = declared
  const source = {
    ...trials.ofTable(table),
    fields: new Set([...(trials.ofTable(table).fields ?? []), trialIndex]),
  }
  const sources = variables.has('trial')
    ? declared.sources
    : new Map([...declared.sources, ['trial', source] as const])
  return expressionIssues(until, { ...namesFor(declared, movesTogether), sources, mayReadTime: true })
}

/** F79, F83: what can be drawn in every order of draws, in the order of the path. */
function scarceRows(definition: ExperimentDefinition, rowsOf: TrialRows): ValidationIssue[] {
  const { blocks = [], tables } = definition
  const earlier: { table: string; sample: number; rows: ReadonlySet<number> }[] = []
  return blockUnitsIn(unitsOf(definition)).flatMap(({ block }) => {
    if (!hasTrials(block)) return []
    const { table, sample, where, reuse = false, order } = block.trials
    const path = pointer('blocks', blocks.indexOf(block), 'trials')
    const rows = rowsOf.get(block.id) ?? []
    const drawn = reuse
      ? 0
      : earlier
          .filter((one) => one.table === table)
          .reduce((sum, one) => sum + Math.min(one.sample, rows.filter((row) => one.rows.has(row)).length), 0)
    const left = Math.max(0, rows.length - drawn)
    if (sample !== undefined) earlier.push({ table, sample, rows: new Set(rows) })
    const all = rowsIn(tables, table).length
    const those =
      where === undefined
        ? `table ‘${table}’ has ${inRows(all)}`
        : `${inRows(rows.length)} of table ‘${table}’ fulfil ‘where’`
    const others =
      drawn === 0 ? '' : `, and earlier blocks may have drawn ${drawn} of them; draw fewer, or set ‘reuse’`
    if (rows.length === 0)
      return [finding(`${path}/where`, `no row of table ‘${table}’ fulfils this condition`)]
    if (left === 0) return [finding(path, `no row may be left to play: ${those}${others}`)]
    if (sample !== undefined && sample > left)
      return [finding(`${path}/sample`, `cannot draw ${sample} rows: ${those}${others}`)]
    return order === 'latin_square' && rows.length > limits.tables.latinRows
      ? [
          finding(
            `${path}/order`,
            `a Latin square can have up to ${limits.tables.latinRows} rows, but ${those}; use ‘random’`,
          ),
        ]
      : []
  })
}

const inRows = (count: number): string => `${count.toLocaleString('en')} ${count === 1 ? 'row' : 'rows'}`
