import { assertNever, type DryRunArrivals } from '@atrium/contract'
import { random } from '@atrium/flow'
import type { WaitingPerson } from '../../../ports/waiting-queue.ts'
import type { MatchingSettings } from '../matching-settings.ts'
import { takesAny } from '../proposal/assign-roles.ts'
import { createAttributes } from '../proposal/attributes.ts'

export interface Arrival extends WaitingPerson {
  /** When they give up; Infinity for those who wait as long as it takes. */
  leavesAt: number
}

const minuteMs = 60_000
const usualPerMinute = 6

/**
 * Draws people in order of arrival. Each property has a random stream of its own, so that changing attributes or patience
 * does not change when people arrive.
 */
export function drawArrivals(arrivals: DryRunArrivals, seed: string, settings: MatchingSettings): Arrival[] {
  const { people, attributes = {}, variables = {}, sample = [], roles, leaveAfterMs } = arrivals
  const nextGapMs = gapsOf(arrivals, random(`${seed}/arrivals`))
  const nextRole = roles ? weightedDraw(roles, random(`${seed}/roles`)) : () => takesAny
  const nextPatience = random(`${seed}/patience`)
  const nextMetadata = valuesDrawn(attributes, `${seed}/attributes`)
  const nextVariables = valuesDrawn(variables, `${seed}/variables`)
  const nextOfSample = random(`${seed}/sample`)
  const attributesOf = createAttributes(settings)
  let now = 0
  return Array.from({ length: people }, (_, index) => {
    now += nextGapMs(index)
    const arrivedAt = Math.round(now)
    // What earlier people were asked may be a variable now, or a field of the link.
    const drawn = sample[Math.floor(nextOfSample() * sample.length)] ?? {}
    return {
      participantId: `person-${index + 1}`,
      arrivedAt,
      revision: 1,
      role: nextRole(),
      attributes: attributesOf({ ...nextMetadata(), ...drawn }, { ...nextVariables(), ...drawn }),
      leavesAt:
        leaveAfterMs === undefined
          ? Infinity
          : arrivedAt + Math.round(exponential(leaveAfterMs, nextPatience)),
    }
  })
}

function valuesDrawn(byName: NonNullable<DryRunArrivals['variables']>, seed: string) {
  const draws = Object.entries(byName).map(([name, weights]) => {
    const nextValue = weightedDraw(weights, random(`${seed}/${name}`))
    return () => [name, plainValue(nextValue())] as const
  })
  return () => Object.fromEntries(draws.map((draw) => draw()))
}

function gapsOf({ perMinute = usualPerMinute, pattern = 'poisson' }: DryRunArrivals, next: () => number) {
  const meanMs = minuteMs / perMinute
  switch (pattern) {
    case 'poisson':
      return () => exponential(meanMs, next)
    case 'even':
      return (index: number) => (index === 0 ? 0 : meanMs)
    case 'all_at_once':
      return () => 0
    default:
      return assertNever(pattern)
  }
}

const exponential = (mean: number, next: () => number): number => -mean * Math.log(1 - next())

function weightedDraw(weights: Readonly<Record<string, number>>, next: () => number): () => string {
  const values = Object.keys(weights)
  let total = 0
  const upTo = Object.values(weights).map((weight) => {
    total += weight
    return total
  })
  return () => {
    const drawn = next() * total
    // Binary search: with a thousand values for each of fifty attributes, this is most of the work.
    let [low, high] = [0, values.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if (drawn < (upTo[middle] ?? total)) high = middle
      else low = middle + 1
    }
    return values[low] ?? ''
  }
}

/** Keys in JSON are text, but metadata has numbers and booleans too. */
function plainValue(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true'
  return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text
}
