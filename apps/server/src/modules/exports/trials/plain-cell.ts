import type { ColumnType } from '@atrium/contract'
import { type Cell, numberIn } from '../tables/row.ts'

/** What a page sends may be nested as deeply as it likes; answers that we ask for are not. */
const maxDepth = 4

/** A cell of the table `trials`, which has no JSON: lists and objects become a text for people. */
export function plainCell(type: ColumnType, value: unknown): Cell {
  switch (type) {
    case 'number':
      return numberIn(value)
    case 'flag':
      return typeof value === 'boolean' ? value : null
    default:
      return value === null || value === undefined ? null : plainText(value, maxDepth)
  }
}

function plainText(value: unknown, depth: number): string {
  if (value === null || value === undefined) return ''
  if (typeof value !== 'object') return String(value)
  if (depth === 0) return '…'
  if (Array.isArray(value)) return value.map((one) => plainText(one, depth - 1)).join('; ')
  return Object.entries(value)
    .map(([name, one]) => `${name}: ${plainText(one, depth - 1)}`)
    .join('; ')
}

/** What lies at a path of names; undefined if there is nothing. */
export const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (inside, name) =>
      typeof inside === 'object' && inside !== null && Object.hasOwn(inside, name)
        ? Reflect.get(inside, name)
        : undefined,
    value,
  )
