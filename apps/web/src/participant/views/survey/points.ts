import type { TypedAmount } from '../questions/amount-field.tsx'

type Points = Readonly<Record<string, unknown>>

/** Of what is typed so far; a text that is no number counts as nothing. */
export const sumOf = (points: Points): number =>
  Object.values(points).reduce<number>(
    (sum, amount) => sum + (typeof amount === 'number' && Number.isFinite(amount) ? amount : 0),
    0,
  )

/**
 * The points after a change: all items have some from the first number on, because an empty field counts as 0. Undefined once
 * every field is empty again.
 */
export function withPoints(
  points: Points,
  item: string,
  amount: TypedAmount,
  items: readonly string[],
): Points | undefined {
  const next = Object.fromEntries(
    items.map((name) => [
      name,
      name === item ? (amount ?? 0) : Object.hasOwn(points, name) ? points[name] : 0,
    ]),
  )
  return amount === undefined && Object.values(next).every((each) => each === 0) ? undefined : next
}
