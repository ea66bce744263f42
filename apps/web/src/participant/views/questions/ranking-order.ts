import type { Option } from '../settings/options.ts'
import { listIn } from './answer.ts'

/** The list with one item moved; positions outside the list mean its ends. */
export function moved<Item>(list: readonly Item[], from: number, to: number): Item[] {
  const rest = [...list]
  const taken = rest.splice(from, 1)
  rest.splice(Math.max(0, Math.min(to, rest.length)), 0, ...taken)
  return rest
}

/** The items as the answer ranks them. An answer that does not name each of them once is ignored. */
export function rankedItems(answer: unknown, shown: readonly Option[]): readonly Option[] {
  const ranked = listIn(answer).flatMap((value) => shown.find((item) => item.value === value) ?? [])
  return new Set(ranked).size === shown.length && ranked.length === shown.length ? ranked : shown
}

/** The position of a pointer at this height among the other items, given their middles. */
export function placeAt(height: number, middles: readonly number[]): number {
  const place = middles.findIndex((middle) => height < middle)
  return place === -1 ? middles.length : place
}
