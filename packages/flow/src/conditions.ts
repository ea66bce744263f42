import { assertNever, type ExperimentDefinition } from '@atrium/contract'
import { latinSquareRow, random, shuffled } from './random.ts'

type Conditions = NonNullable<ExperimentDefinition['conditions']>

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
  const { values, assign = 'balanced' } = conditions
  const chosen = values[indexOfCondition(values.length, assign, seed, ordinal)]
  return chosen ?? null
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
