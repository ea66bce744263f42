/** Lets `most` pieces of work run at a time; the others wait for their turn, in the order in which they came. */
export function createSlots(most: number) {
  const waiting: (() => void)[] = []
  let taken = 0
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (taken === most) await new Promise<void>((begin) => waiting.push(begin))
    else taken++
    try {
      return await work()
    } finally {
      // Handed on, not given back: nobody can come in between.
      const next = waiting.shift()
      if (next) next()
      else taken--
    }
  }
}
