import { expect, test } from 'vitest'
import { isLongPage } from './long-page.ts'

const question = (id: string) => ({ id, type: 'slider', required: true })
const about = (id: string, people: number) => ({
  ...question(id),
  forEach: 'others',
  targets: Array.from({ length: people }, (_, at) => ({ alias: `P${at + 1}`, component: question(id) })),
})

test('a page with more than 20 questions is long, and one about each of the others counts once for each', () => {
  const questions = (count: number) => Array.from({ length: count }, (_, at) => question(`q${at}`))
  expect([isLongPage(questions(20)), isLongPage(questions(21))]).toEqual([false, true])
  expect([isLongPage([about('a', 20)]), isLongPage([about('a', 20), question('b')])]).toEqual([false, true])
  expect(isLongPage([about('a', 7), about('b', 7), about('c', 7)])).toBe(true)
})
