import type { PlayedStudy } from './recomputation.ts'

/** R66: what stands in the way of a mixed model: a trial of a person in two rows, or a cell that is more than one value. */
export function oddTrialsIn({ trials }: Pick<PlayedStudy, 'trials'>): string[] {
  const seen = new Set<string>()
  return trials.flatMap((row) => {
    const {
      participantId,
      source,
      blockId,
      round,
      trialIndex,
      occurrence,
      componentId,
      visit,
      componentTrial,
    } = row
    const trial = [participantId, source, blockId, round, trialIndex, occurrence].join(' ')
    // Trials of a component are counted within its answer.
    const key = source === 'block' ? trial : [trial, componentId, visit, componentTrial].join(' ')
    const isRepeated = seen.has(key)
    seen.add(key)
    const nested = Object.entries(row).flatMap(([column, cell]) =>
      typeof cell === 'object' && cell !== null ? [`${column} of ${key} is JSON`] : [],
    )
    return isRepeated ? [`${key} has two rows`, ...nested] : nested
  })
}
