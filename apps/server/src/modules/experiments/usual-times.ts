import type { LiveExperiment } from '@atrium/contract'
import type { StateVisit } from './experiments.store.ts'

export type UsualTime = LiveExperiment['usual'][number]

/** The median, because one person who went for a coffee must not make everybody else look quick. */
export function usualTimesOf(visits: readonly StateVisit[]): UsualTime[] {
  const byState = Map.groupBy(visits, ({ stateId }) => stateId)
  return [...byState].map(([stateId, some]) => {
    const sorted = some.map(({ ms }) => Math.max(0, ms)).toSorted((one, other) => one - other)
    return { stateId, medianMs: sorted[Math.floor((sorted.length - 1) / 2)] ?? 0, visits: sorted.length }
  })
}
