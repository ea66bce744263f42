import { quotaOf, weightOf } from '@atrium/contract'
import type { Assignment, Rows } from './assignment.ts'
import { cellFrom, createStrata, joined, kindOf, kindOfCell, prefixesOf } from './cells.ts'
import { drawWeighted } from './conditions.ts'
import type { Design } from './design.ts'
import { random } from './random.ts'
import type { Factor } from './squares.ts'

/** How many people count in each cell, `condition×block#row`, with its stratum before it. */
export type CellCounts = Iterable<readonly [cell: string, people: number]>

export interface RoomToAssign {
  seed: string
  /** Position of the room in the experiment, counted from 0. */
  ordinal: number
  /** Position of its first person among all people in rooms. */
  seatOrdinal: number
  people: number
  /** F69: of each person, in the order of their seats, or one for all; absent without strata. */
  strata?: readonly string[]
}

export interface Allotment {
  assignment: Assignment
  /** For each person: the cells in which they count. */
  cells: string[][]
}

/**
 * Assigns each room to the cell with the fewest people: first the condition that has fewest, then, among the people of that
 * condition, the order of the first block, and so on. Among several that have fewest, the seed decides. So as long as
 * everybody counts, each level of a factor comes once in every n, within every combination of the levels before it: these
 * are permuted blocks. What was given back is filled first.
 */
export function createAllocator(design: Design, counts: CellCounts) {
  const { conditions } = design
  const known = [...counts]
  const byKind = Map.groupBy(known, ([cell]) => kindOfCell(cell))
  const countedOf = (factors: readonly Factor[]) => byKind.get(kindOf(factors)) ?? []
  const groups = design.groups.map((factors) => ({ factors, people: peopleByPrefix(countedOf(factors)) }))
  const strata = createStrata(known.map(([cell]) => cell))
  /** Whatever the stratum: what quotas are about. The first group has the condition. */
  const inCondition: Tally = new Map()
  for (const [cell, count] of countedOf(design.groups[0] ?? []))
    add(inCondition, cellFrom(cell).condition ?? '', count)

  /** F68: the conditions that have a place for so many. */
  const openFor = (people: number, levels: readonly string[]): number[] =>
    levels.flatMap((level, index) =>
      conditions &&
      weightOf(conditions, level) > 0 &&
      (inCondition.get(level) ?? 0) + people <= quotaOf(conditions, level)
        ? [index]
        : [],
    )

  /** The index of the level; undefined where every condition is full. */
  function choose(factor: Factor, before: string, people: Tally, { draw, size }: Choice): number | undefined {
    const { levels } = factor
    const isCondition = factor.blockId === null && conditions !== undefined
    const open = isCondition ? openFor(size, levels) : levels.map((_, index) => index)
    if (open.length === 0) return undefined
    if (isCondition && conditions.assign === 'random') {
      const names = open.map((index) => levels[index] ?? '')
      return open[drawWeighted(conditions, names, draw(factor))]
    }
    // F66: how full it is for its share. Without weights, this is the number of people.
    const filled = open.map((index) => {
      const level = levels[index] ?? ''
      return (people.get(joined(before, level)) ?? 0) / (isCondition ? weightOf(conditions, level) : 1)
    })
    const min = Math.min(...filled)
    const candidates = open.filter((_, index) => filled[index] === min)
    const isInTurn = isCondition && conditions.assign === 'latin_square'
    return candidates[isInTurn ? 0 : Math.floor(draw(factor) * candidates.length)]
  }

  /** The chosen level of each factor, and the cells to count the people in: one in each group. Null where all are full. */
  function assign(choice: Choice, chosen: Map<Factor, number>): string[] | null {
    const cells: string[] = []
    for (const { factors, people } of groups) {
      let cell = choice.stratum
      for (const factor of factors) {
        const index = chosen.get(factor) ?? choose(factor, cell, people, choice)
        if (index === undefined) return null
        chosen.set(factor, index)
        cell = joined(cell, factor.levels[index] ?? '')
      }
      cells.push(cell)
    }
    for (const [index, cell] of cells.entries())
      for (const prefix of prefixesOf(cell)) add(groups[index]?.people, prefix, choice.counted)
    return cells
  }

  const [condition] = design.factors.filter(({ blockId }) => blockId === null)
  const isOwn = ({ blockId }: Factor): boolean =>
    blockId === null ? design.hasOwnConditions : design.hasOwnOrders
  const nameIn = (chosen: ReadonlyMap<Factor, number>): string | undefined =>
    condition?.levels[chosen.get(condition) ?? -1]

  /** The assignment of a room, and for each of its people the cells in which they count. */
  return ({ seed, ordinal, seatOrdinal, people, strata: given = [] }: RoomToAssign): Allotment => {
    const ownEach = design.factors.some(isOwn)
    const units = ownEach ? Math.max(1, people) : 1
    const chosenOfRoom = new Map<Factor, number>()
    const found: { cells: string[]; rows: Rows; name: string | undefined }[] = []
    for (let index = 0; index < units; index++) {
      const chosen = new Map(chosenOfRoom)
      const draw: Draw = (factor) => {
        const place = isOwn(factor) ? seatOrdinal + index : ordinal
        return random(
          factor.blockId === null ? `${seed}/condition/${place}` : `${seed}/order/${factor.blockId}/${place}`,
        )()
      }
      // The condition of a room needs a place for everybody in it.
      const size = design.hasOwnConditions ? 1 : people
      const counted = ownEach ? Math.min(people, 1) : people
      const stratum = strata(given[index % given.length] ?? '')
      const cells = assign({ draw, size, counted, stratum }, chosen)
      if (!cells) return full(people)
      for (const [factor, level] of chosen) if (!isOwn(factor)) chosenOfRoom.set(factor, level)
      const name = nameIn(chosen)
      if (name !== undefined) add(inCondition, name, counted)
      found.push({ cells, rows: rowsOf(chosen), name })
    }
    const conditionsOfEach = found.flatMap(({ name }) => name ?? [])
    return {
      assignment: {
        condition: design.hasOwnConditions ? null : (found[0]?.name ?? null),
        ...(design.hasOwnConditions && { conditions: conditionsOfEach }),
        rows: (design.hasOwnOrders ? found : found.slice(0, 1)).map(({ rows }) => rows),
      },
      cells: Array.from({ length: people }, (_, index) => found[index % units]?.cells ?? []),
    }
  }
}

/** Nobody is assigned anything, and counts nowhere. */
const full = (people: number): Allotment => ({
  assignment: { condition: null, isFull: true, rows: [{}] },
  cells: Array.from({ length: people }, () => []),
})

/** A number in [0, 1) for the choice of a factor's level. */
type Draw = (factor: Factor) => number
/** People by the beginnings of cells. */
type Tally = Map<string, number>

interface Choice {
  draw: Draw
  /** How many people a condition must have a place for. */
  size: number
  /** How many people count in the cells. */
  counted: number
  stratum: string
}

const add = (people: Tally | undefined, key: string, count: number): void => {
  people?.set(key, (people.get(key) ?? 0) + count)
}

function peopleByPrefix(counts: readonly (readonly [string, number])[]): Tally {
  const people: Tally = new Map()
  for (const [cell, count] of counts) for (const prefix of prefixesOf(cell)) add(people, prefix, count)
  return people
}

const rowsOf = (chosen: ReadonlyMap<Factor, number>): Rows =>
  Object.fromEntries([...chosen].flatMap(([{ blockId }, row]) => (blockId === null ? [] : [[blockId, row]])))
