import { createHash } from 'node:crypto'
import { cellSeparator } from '@atrium/contract'
import type { Factor } from './squares.ts'

/**
 * What people count in: `~stratum×condition×block#row`, without what there is not. A condition of several factors has as many
 * parts; no id contains `#`, `~` or `×`.
 */
interface Cell {
  stratum: string
  condition: string | null
  /** As written: `block#row`. */
  orders: readonly string[]
}

export function cellFrom(text: string): Cell {
  const parts = text.split(cellSeparator)
  const stratum = parts[0]?.startsWith('~') ? parts[0] : ''
  const levels = parts.filter((part) => !part.includes('#') && !part.startsWith('~'))
  return {
    stratum,
    condition: levels.length > 0 ? levels.join(cellSeparator) : null,
    orders: parts.filter((part) => part.includes('#')),
  }
}

export const joined = (before: string, level: string): string =>
  before === '' ? level : `${before}${cellSeparator}${level}`

/** The beginnings of a cell, one for each of its factors. */
export function prefixesOf(text: string): string[] {
  const { stratum, condition, orders } = cellFrom(text)
  let prefix = stratum
  return [...(condition === null ? [] : [condition]), ...orders].map((part) => {
    prefix = joined(prefix, part)
    return prefix
  })
}

/** Of which factors a cell is. */
export function kindOfCell(text: string): string {
  const { condition, orders } = cellFrom(text)
  const blocks = orders.map((part) => part.slice(0, part.indexOf('#')))
  return JSON.stringify([...(condition === null ? [] : [null]), ...blocks])
}

export const kindOf = (factors: readonly Factor[]): string =>
  JSON.stringify(factors.map(({ blockId }) => blockId))

/** F69: strata that are kept apart. People of all further ones count as one, so that no value from outside adds counts without end. */
export const maxStrata = 100
const furtherStrata = '~'

/**
 * A name for the people with these values. A hash, because the values may be from their link, and what is counted stays when
 * their identity is deleted.
 */
export const stratumOf = (values: readonly unknown[]): string =>
  `~${createHash('sha256').update(JSON.stringify(values)).digest('base64url').slice(0, 12)}`

/** Returns the stratum to count in. */
export function createStrata(cells: Iterable<string>): (stratum: string) => string {
  const known = new Set<string>()
  for (const cell of cells) known.add(cellFrom(cell).stratum)
  known.delete('')
  known.delete(furtherStrata)
  return (stratum) => {
    if (stratum === '' || known.has(stratum)) return stratum
    if (known.size >= maxStrata) return furtherStrata
    known.add(stratum)
    return stratum
  }
}
