import { AppError } from './app-error.ts'

export type InFairTurn = <Value>(owner: string, act: () => Promise<Value>) => Promise<Value>

/**
 * Runs one at a time. Owners take turns, however many of theirs are waiting; beyond `maxWaiting`, the owner with the
 * most waiting loses the newest of them.
 */
export function createFairTurns(maxWaiting: number): InFairTurn {
  /** By owner, in the order of their turns. */
  const waiting = new Map<string, PromiseWithResolvers<void>[]>()
  let isBusy = false

  function wait(owner: string): Promise<void> {
    const turn = Promise.withResolvers<void>()
    const own = [...(waiting.get(owner) ?? []), turn]
    waiting.set(owner, own)
    const lines = [...waiting.values()]
    if (lines.flat().length > maxWaiting) {
      const most = lines.reduce((one, other) => (other.length > one.length ? other : one), own)
      most.pop()?.reject(new AppError('UNAVAILABLE'))
    }
    return turn.promise
  }

  function takeNext(): PromiseWithResolvers<void> | undefined {
    for (const [owner, turns] of waiting) {
      waiting.delete(owner)
      const next = turns.shift()
      if (turns.length > 0) waiting.set(owner, turns)
      if (next) return next
    }
    return undefined
  }

  return async (owner, act) => {
    if (isBusy) await wait(owner)
    isBusy = true
    try {
      return await act()
    } finally {
      // The next one inherits the turn, so that nobody can slip in between.
      const next = takeNext()
      if (next) next.resolve()
      else isBusy = false
    }
  }
}
