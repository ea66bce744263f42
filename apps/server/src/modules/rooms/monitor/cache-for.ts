import type { Clock } from '../../../kernel/clock.ts'

/** The longer it takes, the less often it is asked again: at most a twentieth of the time goes into it. */
const restFactor = 20

/** The last answer, until it is old. Whoever asks meanwhile waits for the same new one. */
export function cacheFor<Answer>(
  clock: Clock,
  everyMs: number,
  ask: () => Promise<Answer>,
): () => Promise<Answer> {
  let last: { answer: Answer; until: number } | undefined
  let asking: Promise<Answer> | undefined

  async function askNow(): Promise<Answer> {
    const askedAt = clock.now()
    const answer = await ask()
    const answeredAt = clock.now()
    last = { answer, until: answeredAt + Math.max(everyMs, restFactor * (answeredAt - askedAt)) }
    return answer
  }

  return async () => {
    if (last && clock.now() < last.until) return last.answer
    asking ??= askNow().finally(() => {
      asking = undefined
    })
    return await asking
  }
}
