export interface TurnShare {
  isUsedUp(): boolean
}

/**
 * Says when one turn of the event loop has gone on for long enough, so that what can wait is left for the next one: fifty people
 * who answer at once are fifty short actions, but together they would hold up everybody else.
 */
export function createTurnShare(maxMs: number): TurnShare {
  let beganAt: number | undefined
  return {
    isUsedUp() {
      const now = performance.now()
      if (beganAt === undefined) {
        beganAt = now
        setImmediate(() => {
          beganAt = undefined
        })
      }
      return now - beganAt > maxMs
    },
  }
}
