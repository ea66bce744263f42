import type { ExperimentDefinition, Payment } from '@atrium/contract'
import { blocksAround } from './blocks-around.ts'
import { roundsOf, type Step, unitsOf } from './plan.ts'
import { random } from './random.ts'

export type Pick = NonNullable<Payment['pick']>

/** A round that may be paid. */
export interface PayableRound {
  blockId: string
  round: number
}

/** F61: rounds of the block that is named, or of every block that has more than one; of blocks in blocks, the outermost alone. */
const counts = ({ block }: Pick, blockId: string, rounds: number): boolean =>
  block === undefined ? rounds > 1 : block === blockId

/** The round that a step belongs to; null if it cannot be paid. */
export function payableRoundAt(step: Step | undefined, pick: Pick): PayableRound | null {
  const [outermost] = blocksAround(step)
  if (!outermost || !counts(pick, outermost.blockId, outermost.rounds)) return null
  return { blockId: outermost.blockId, round: outermost.round }
}

export const isSameRound = (one: PayableRound | null, other: PayableRound | null): boolean =>
  one?.blockId === other?.blockId && one?.round === other?.round

/** The blocks whose rounds count, with how many each has. */
export const payableBlocks = (
  definition: ExperimentDefinition,
  pick: Pick,
): { blockId: string; rounds: number }[] =>
  unitsOf(definition).flatMap((unit) =>
    unit.block && counts(pick, unit.block.id, roundsOf(unit))
      ? [{ blockId: unit.block.id, rounds: roundsOf(unit) }]
      : [],
  )

/** Whether a round that counts has not ended yet for whoever is at this position of the path. */
export const hasRoundAhead = (steps: readonly Step[], position: number, pick: Pick): boolean =>
  steps.some((step, index) => index >= position && payableRoundAt(step, pick) !== null)

/**
 * F62: every round of the path gets a lot from the seed, and those with the lowest are picked, of the rounds that were played. So the
 * pick depends on no value and on no time, each round has the same chance, and whoever looks again finds the same. In the order of the path.
 */
export function pickRounds<Kept extends PayableRound>(
  kept: readonly Kept[],
  steps: readonly Step[],
  pick: Pick,
  seed: string,
): Kept[] {
  const next = random(seed)
  const lots = new Map<string, number>()
  for (const step of steps) {
    const round = payableRoundAt(step, pick)
    if (round && !lots.has(keyOf(round))) lots.set(keyOf(round), next())
  }
  // Rounds of earlier stages are in no step of this one.
  const lotOf = (round: PayableRound): number => lots.get(keyOf(round)) ?? random(`${seed} ${keyOf(round)}`)()
  const places = new Map([...lots.keys()].map((key, place) => [key, place]))
  const placeOf = (round: PayableRound): number => places.get(keyOf(round)) ?? lots.size
  return kept
    .toSorted((one, other) => lotOf(one) - lotOf(other))
    .slice(0, pick.rounds)
    .sort((one, other) => placeOf(one) - placeOf(other))
}

const keyOf = ({ blockId, round }: PayableRound): string => `${round} ${blockId}`
