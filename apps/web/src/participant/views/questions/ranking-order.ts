import type { Option } from '../settings/options.ts'
import { listIn } from './answer.ts'

/** Moves one entry; positions outside the list are clamped. */
export function moved<Item>(list: readonly Item[], from: number, to: number): Item[] {
  const rest = [...list]
  const taken = rest.splice(from, 1)
  rest.splice(Math.max(0, Math.min(to, rest.length)), 0, ...taken)
  return rest
}

/** The items in the order of the answer; those that have appeared since then are last. */
export function rankedItems(answer: unknown, shown: readonly Option[]): readonly Option[] {
  const ranked = listIn(answer).flatMap((value) => shown.find((item) => item.value === value) ?? [])
  return [...new Set([...ranked, ...shown])]
}

/** The position of a pointer among the other entries, by their middles. */
export function placeAt(height: number, middles: readonly number[]): number {
  const place = middles.findIndex((middle) => height < middle)
  return place === -1 ? middles.length : place
}
