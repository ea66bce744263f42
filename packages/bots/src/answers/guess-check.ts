import { drawAnswer } from '@atrium/agent-protocol'
import type { ComponentView, Random } from '@atrium/contract'

type Answers = Record<string, unknown>

const maxDraws = 50

/**
 * The next attempt at a comprehension check: right answers are kept, wrong ones are replaced by a guess not made before.
 * The server says which answers were wrong, never which would be right.
 */
export function guessCheck(
  check: ComponentView,
  earlier: readonly { answers: Answers; wrong: readonly string[] }[],
  random: Random,
): { answers: Answers } {
  let guess = drawAnswers(check, random)
  const last = earlier.at(-1)
  if (!last) return { answers: guess }
  const isNew = ([question, answer]: [string, unknown]): boolean =>
    !last.wrong.includes(question) ||
    !earlier.some(({ answers }) => JSON.stringify(answers[question]) === JSON.stringify(answer))
  // A question with a single option leaves nothing else to try.
  for (let draws = 1; draws < maxDraws && !Object.entries(guess).every(isNew); draws++) {
    const fresh = drawAnswers(check, random)
    const kept = Object.entries(guess).map((entry) => (isNew(entry) ? entry : [entry[0], fresh[entry[0]]]))
    guess = Object.fromEntries(kept)
  }
  const right = Object.entries(last.answers).filter(([question]) => !last.wrong.includes(question))
  return { answers: { ...guess, ...Object.fromEntries(right) } }
}

const drawAnswers = (check: ComponentView, random: Random): Answers =>
  (drawAnswer(check, random) as { answers: Answers }).answers
