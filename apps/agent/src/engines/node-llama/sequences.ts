import type { LlamaSequence } from './library.ts'

/** The places in the context, one for each request under way. Each remembers the tokens of its last request. */
export interface Sequences {
  /** Prefers the place that already holds most of these tokens: they need not be evaluated again. */
  take(tokens: readonly number[]): Promise<LlamaSequence>
  giveBack(sequence: LlamaSequence): void
}

export function createSequences(all: readonly LlamaSequence[]): Sequences {
  const free = new Set(all)
  const waiting: ((sequence: LlamaSequence) => void)[] = []
  return {
    async take(tokens) {
      const known = (sequence: LlamaSequence) => sequence.compareContextTokens(tokens).firstDifferentIndex
      const [best] = [...free].toSorted((one, other) => known(other) - known(one))
      // Only while an aborted request is still being evaluated: the front admits no more than there are places.
      if (best === undefined) return new Promise((resolve) => waiting.push(resolve))
      free.delete(best)
      return best
    },
    giveBack(sequence) {
      const next = waiting.shift()
      if (next === undefined) free.add(sequence)
      else next(sequence)
    },
  }
}
