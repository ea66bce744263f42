import { expect, test } from 'vitest'
import { createDraws } from '../random.ts'
import { guessCheck } from './guess-check.ts'

test('a check is guessed until it is passed, and no wrong answer is given twice', () => {
  const options = ['a', 'b', 'c', 'd']
  const check = {
    id: 'c',
    type: 'instructions',
    questions: [
      { id: 'one', options },
      { id: 'two', options },
    ],
  }
  for (const name of ['x', 'y', 'z']) {
    const random = createDraws(name)('guess')
    const tries: { answers: Record<string, unknown>; wrong: string[] }[] = []
    while (tries.at(-1)?.wrong.length !== 0) {
      const { answers } = guessCheck(check, tries, random)
      tries.push({ answers, wrong: ['one', 'two'].filter((id) => answers[id] !== 'd') })
      expect(tries.length).toBeLessThanOrEqual(options.length)
    }
    expect(tries.at(-1)?.answers).toEqual({ one: 'd', two: 'd' })
  }
})
