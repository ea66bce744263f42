import { AppError } from './app-error.ts'

export type InTurn = <Value>(act: () => Promise<Value>) => Promise<Value>

/**
 * Runs at most `mostAtOnce` at a time. The others wait, first come first served; beyond `mostWaiting` they are
 * refused.
 */
export function createTurns(mostAtOnce: number, mostWaiting = Number.POSITIVE_INFINITY): InTurn {
  const waiting: (() => void)[] = []
  let underWay = 0
  return async (act) => {
    if (underWay < mostAtOnce) underWay++
    else if (waiting.length >= mostWaiting) throw new AppError('UNAVAILABLE')
    // The next one inherits the turn, so that nobody can slip in between.
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await act()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else underWay--
    }
  }
}
