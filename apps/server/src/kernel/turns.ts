import { AppError } from './app-error.ts'

export type InTurn = <Value>(act: () => Promise<Value>) => Promise<Value>

/** At most so many at a time; the others wait, first come first served, and beyond `mostWaiting` are refused. */
export function createTurns(mostAtOnce: number, mostWaiting = Number.POSITIVE_INFINITY): InTurn {
  const waiting: (() => void)[] = []
  let underWay = 0
  return async (act) => {
    if (underWay < mostAtOnce) underWay++
    else if (waiting.length >= mostWaiting) throw new AppError('UNAVAILABLE')
    // Who is called takes over the turn of who called, so that nobody slips in between.
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
