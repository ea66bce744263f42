import type { Clock } from '../../../kernel/clock.ts'

/** The longer it takes, the less often it is asked again: at most a twentieth of the time goes into it. */
const restFactor = 20

/** The last answer, until it is old. */
export function seldom<Answer>(
  clock: Clock,
  everyMs: number,
  ask: () => Promise<Answer>,
): () => Promise<Answer> {
  let last: { answer: Answer; until: number } | undefined
  return async () => {
    const askedAt = clock.now()
    if (last && askedAt < last.until) return last.answer
    const answer = await ask()
    const answeredAt = clock.now()
    last = { answer, until: answeredAt + Math.max(everyMs, restFactor * (answeredAt - askedAt)) }
    return answer
  }
}
