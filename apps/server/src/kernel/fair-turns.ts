import { createFairLine } from '@atrium/program'
import { AppError } from './app-error.ts'

export type InFairTurn = <Value>(owner: string, act: () => Promise<Value>) => Promise<Value>

/**
 * Runs one at a time. Owners take turns, however many of theirs are waiting; beyond `mostWaiting`, the owner with the
 * most waiting is refused.
 */
export function createFairTurns(mostWaiting: number): InFairTurn {
  const line = createFairLine<PromiseWithResolvers<void>>(mostWaiting)
  let isBusy = false
  return async (owner, act) => {
    if (isBusy) {
      const turn = Promise.withResolvers<void>()
      line.add(owner, turn)?.reject(new AppError('UNAVAILABLE'))
      await turn.promise
    }
    isBusy = true
    try {
      return await act()
    } finally {
      // The next one inherits the turn, so that nobody can slip in between.
      const next = line.take()
      if (next) next.resolve()
      else isBusy = false
    }
  }
}
