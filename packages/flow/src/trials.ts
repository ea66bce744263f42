import {
  assertNever,
  type ExperimentDefinition,
  rowsIn,
  type TrialRow,
  type Trials,
  trialIndex,
} from '@atrium/contract'
import { boundedWork, evaluate, isTruthy, parseExpression, type Scope, type Value } from '@atrium/expressions'
import { latinSquareRow, random, shuffledBy } from './random.ts'

/** F75: one row of a table, as it is played. Only its number is kept: the row itself is in the definition. */
export interface Trial {
  /** Position among the trials of the block in this round, counted from 1. */
  index: number
  /** Position of the row in the table, counted from 1. */
  row: number
}

type Block = NonNullable<ExperimentDefinition['blocks']>[number]
export type TrialBlock = Block & { trials: Trials }

export const hasTrials = (block: Block | null): block is TrialBlock => block?.trials !== undefined

/** F78: numbers of the rows that the trials of each block may play, by block. The same for every room of a revision. */
export type TrialRows = ReadonlyMap<string, readonly number[]>

export const trialRowsOf = ({ blocks = [], tables }: ExperimentDefinition): TrialRows =>
  new Map(
    blocks
      .filter(hasTrials)
      .map(({ id, trials }) => [id, rowsWhere(rowsIn(tables, trials.table), trials.where)] as const),
  )

/** Some 20 ms for a table of 10,000 rows, once for each revision. */
const stepsPerRow = 1_000

/** Numbers of the rows for which the expression is true; all without one. An expression that does not parse is refused on saving. */
export function rowsWhere(rows: readonly TrialRow[], where: string | undefined): number[] {
  const numbers = rows.map((_, at) => at + 1)
  if (where === undefined) return numbers
  const parsed = parseExpression(where)
  if (!parsed.ok) return []
  return numbers.filter((number) =>
    isTruthy(evaluate(parsed.expression, scopeOfRow(rows[number - 1]), boundedWork(stepsPerRow))),
  )
}

/** F82: how many trials a round of the unit has at most; 1 where its states are played by themselves. */
export function trialsOf({ block }: { block: Block | null }, rows: TrialRows): number {
  if (!hasTrials(block)) return 1
  return Math.min(block.trials.sample ?? Number.POSITIVE_INFINITY, rows.get(block.id)?.length ?? 0)
}

/** The value of a column; null where the row leaves it out. */
export const cellOf = (row: TrialRow | undefined, column: string): Value =>
  (row && Object.hasOwn(row, column) ? row[column] : undefined) ?? null

/** A row before it is played: nothing that happens can be read. */
const scopeOfRow = (row: TrialRow | undefined): Scope => ({
  variable: () => undefined,
  response: () => undefined,
  responses: () => [],
  field: (source, name) =>
    source === 'trial' ? (name === trialIndex ? null : cellOf(row, name)) : undefined,
  facts: { role: null, condition: null, round: null, visit: 0, state: '', participants: 0, ready: 0 },
})

/** Where a plan is drawn: by room or participant, and the rows that they were assigned of Latin squares. */
export interface Drawing {
  seed: string
  ordinal: number
  rows?: Readonly<Record<string, number>>
}

const ending = '/trials'

/** How the row of a block's Latin square over its trials is called, beside that over its states. No id contains `/`. */
export const trialsFactor = (blockId: string): string => `${blockId}${ending}`

/** The block whose trials a factor is about; undefined for any other. */
export const blockOfTrials = (factor: string): string | undefined =>
  factor.endsWith(ending) ? factor.slice(0, -ending.length) : undefined

/**
 * F77, F78: draws the trials of blocks, in the order of the path. What a block draws with `sample`, later blocks with the same
 * table leave out, unless they say `reuse`.
 */
export function createTrialDraw(candidates: TrialRows, drawing: Drawing) {
  const sampled = new Map<string, Set<number>>()
  /** Returns a function that gives the rows of the next round. */
  return ({ id, trials }: TrialBlock): (() => readonly number[]) => {
    const { table, sample, order = 'listed', reuse = false } = trials
    const drawn = sampled.get(table) ?? new Set<number>()
    sampled.set(table, drawn)
    const isFree = (row: number): boolean => reuse || !drawn.has(row)
    const all = candidates.get(id) ?? []
    const next = random(`${drawing.seed}/trials/${id}/${drawing.ordinal}`)
    const inOrder = order === 'latin_square' ? inLatinOrder(id, all, drawing) : all
    const free = inOrder.filter(isFree)
    const chosen = sample === undefined ? free : chooseRows(free, { order, sample }, next)
    if (sample !== undefined) for (const row of chosen) drawn.add(row)
    return order === 'random' ? () => shuffledBy(chosen, next) : () => chosen
  }
}

/** Each draws with the same chance, and `listed` keeps the order of the table. */
function chooseRows(
  free: readonly number[],
  { order, sample }: { order: NonNullable<Trials['order']>; sample: number },
  next: () => number,
): readonly number[] {
  switch (order) {
    case 'latin_square':
      return free.slice(0, sample)
    case 'random':
      return shuffledBy(free, next).slice(0, sample)
    case 'listed':
      return shuffledBy(free, next)
        .slice(0, sample)
        .sort((one, other) => one - other)
    default:
      return assertNever(order)
  }
}

/** By all rows of the block, not only by those that are left: everybody's square is the same. */
function inLatinOrder(
  blockId: string,
  all: readonly number[],
  { rows, ordinal }: Drawing,
): readonly number[] {
  const name = trialsFactor(blockId)
  const assigned = rows && (Object.hasOwn(rows, name) ? rows[name] : 0)
  return latinSquareRow(all.length, assigned ?? ordinal).flatMap((place) => all[place] ?? [])
}
