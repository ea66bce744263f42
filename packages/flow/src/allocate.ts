import type { Assignment, Rows } from './assignment.ts'
import { assignCondition } from './conditions.ts'
import type { Design, Factor } from './design.ts'
import { random } from './random.ts'

/** How many people count in each cell, `condition×block#row`. */
export type CellCounts = Iterable<readonly [cell: string, people: number]>

export interface RoomToAssign {
  seed: string
  /** Position of the room in the experiment, counted from 0. */
  ordinal: number
  /** Position of its first person, where each is assigned orders of their own; null where the room has one for all. */
  seatOrdinal: number | null
  people: number
}

/**
 * Assigns each room to the cell with the fewest people: first the condition that has fewest, then, among the people of that
 * condition, the order of the first block, and so on. Among several that have fewest, the seed decides. So as long as
 * everybody counts, each level of a factor comes once in every n, within every combination of the levels before it: these
 * are permuted blocks. What was given back is filled first.
 */
export function createAllocator(design: Design, counts: CellCounts) {
  const given = Map.groupBy(counts, ([cell]) => kindOf(cell.split('×').map(blockIn)))
  const groups = design.groups.map((factors) => {
    const counted = given.get(kindOf(factors.map(({ blockId }) => blockId))) ?? []
    return { factors, people: peopleByPrefix(counted) }
  })

  function choose(factor: Factor, before: string, people: Tally, draw: Draw): number {
    const { levels } = factor
    const counted = levels.map((level) => people.get(joined(before, level)) ?? 0)
    const min = Math.min(...counted)
    const candidates = counted.flatMap((count, index) => (count === min ? [index] : []))
    const isInTurn = factor.blockId === null && design.conditions?.assign === 'latin_square'
    const drawn = isInTurn ? 0 : Math.floor(draw(factor) * candidates.length)
    return candidates[drawn] ?? 0
  }

  /** The chosen level of each factor, and the cells to count the people in: one in each group. */
  function assign(draw: Draw, people: number, chosen: Map<Factor, number>): string[] {
    return groups.map(({ factors, people: counted }) => {
      let cell = ''
      for (const factor of factors) {
        const index = chosen.get(factor) ?? choose(factor, cell, counted, draw)
        chosen.set(factor, index)
        cell = joined(cell, factor.levels[index] ?? '')
      }
      for (const prefix of prefixesOf(cell)) counted.set(prefix, (counted.get(prefix) ?? 0) + people)
      return cell
    })
  }

  /** The assignment of a room, and for each of its people the cells in which they count. */
  return (room: RoomToAssign): { assignment: Assignment; cells: string[][] } => {
    const { seed, ordinal, seatOrdinal, people } = room
    const [condition] = design.factors.filter(({ blockId }) => blockId === null)
    const chosenOfRoom = new Map<Factor, number>()
    if (condition && design.conditions?.assign === 'random') {
      const drawn = assignCondition(design.conditions, seed, ordinal)
      chosenOfRoom.set(condition, condition.levels.indexOf(drawn ?? ''))
    }
    const units = seatOrdinal === null ? 1 : Math.max(1, people)
    const found = Array.from({ length: units }, (_, index) => {
      const chosen = new Map(chosenOfRoom)
      const place = (seatOrdinal ?? ordinal) + index
      const draw: Draw = ({ blockId }) =>
        random(blockId === null ? `${seed}/condition/${ordinal}` : `${seed}/order/${blockId}/${place}`)()
      const cells = assign(draw, seatOrdinal === null ? people : Math.min(people, 1), chosen)
      if (condition) chosenOfRoom.set(condition, chosen.get(condition) ?? 0)
      return { cells, rows: rowsOf(chosen) }
    })
    const conditionIndex = condition && chosenOfRoom.get(condition)
    return {
      assignment: {
        condition: conditionIndex === undefined ? null : (condition?.levels[conditionIndex] ?? null),
        rows: found.map(({ rows }) => rows),
      },
      cells: Array.from({ length: people }, (_, index) => found[index % units]?.cells ?? []),
    }
  }
}

/** A number in [0, 1) for the choice of a factor's level. */
type Draw = (factor: Factor) => number
/** People by the beginnings of cells. */
type Tally = Map<string, number>

const joined = (before: string, level: string): string => (before === '' ? level : `${before}×${level}`)

function prefixesOf(cell: string): string[] {
  const parts = cell.split('×')
  return parts.map((_, index) => parts.slice(0, index + 1).join('×'))
}

function peopleByPrefix(counts: readonly (readonly [string, number])[]): Tally {
  const people: Tally = new Map()
  for (const [cell, count] of counts)
    for (const prefix of prefixesOf(cell)) people.set(prefix, (people.get(prefix) ?? 0) + count)
  return people
}

/** Of which factors a cell is. */
const kindOf = (blockIds: readonly (string | null)[]): string => JSON.stringify(blockIds)

const blockIn = (part: string): string | null =>
  part.includes('#') ? part.slice(0, part.indexOf('#')) : null

const rowsOf = (chosen: ReadonlyMap<Factor, number>): Rows =>
  Object.fromEntries([...chosen].flatMap(([{ blockId }, row]) => (blockId === null ? [] : [[blockId, row]])))
