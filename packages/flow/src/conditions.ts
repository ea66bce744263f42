import { assertNever, type Conditions, conditionNamesOf, weightOf } from '@atrium/contract'
import { latinSquareRow, random, shuffled } from './random.ts'

/**
 * The condition of a room or participant. `ordinal` is its position, counted from 0; the same seed and ordinal always give
 * the same condition.
 */
export function assignCondition(
  conditions: Conditions | undefined,
  seed: string,
  ordinal: number,
): string | null {
  if (!conditions) return null
  const { assign = 'balanced' } = conditions
  const names = conditionNamesOf({ conditions })
  return names[indexOfCondition(names.length, assign, seed, ordinal)] ?? null
}

function indexOfCondition(
  n: number,
  assign: NonNullable<Conditions['assign']>,
  seed: string,
  ordinal: number,
): number {
  switch (assign) {
    case 'random':
      return Math.floor(random(`${seed}/condition/${ordinal}`)() * n)
    case 'balanced': {
      // Permuted blocks: each condition once in every n, in an order that cannot be guessed from previous ones.
      const positions = Array.from({ length: n }, (_, index) => index)
      return shuffled(positions, `${seed}/conditions/${Math.floor(ordinal / n)}`)[ordinal % n] ?? 0
    }
    case 'latin_square':
      return latinSquareRow(n, ordinal)[0] ?? 0
    default:
      return assertNever(assign)
  }
}

/** F66: draws one of these by their weights; `drawn` is in [0, 1). Where all weights are the same, as by `floor`. */
export function drawWeighted(conditions: Conditions, names: readonly string[], drawn: number): number {
  const weights = names.map((name) => weightOf(conditions, name))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  let left = drawn * total
  const found = weights.findIndex((weight) => {
    left -= weight
    return left < 0
  })
  // The last sum may be rounded, so that nothing is left over for the last of them.
  return found >= 0 ? found : weights.findLastIndex((weight) => weight > 0)
}
