import { AppError } from './app-error.ts'

export type InTurn = <Value>(act: () => Promise<Value>) => Promise<Value>

/**
 * Runs at most `maxAtOnce` at a time. The others wait, first come first served; beyond `maxWaiting` they are
 * refused.
 */
export function createTurns(maxAtOnce: number, maxWaiting = Number.POSITIVE_INFINITY): InTurn {
  const waiting: (() => void)[] = []
  let underWay = 0
  return async (act) => {
    if (underWay < maxAtOnce) underWay++
    else if (waiting.length >= maxWaiting) throw new AppError('UNAVAILABLE')
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
