import { expect, test } from 'vitest'
import { findTiming } from './check-timing.ts'

test.each([
  `import { setTimeout as delay } from 'node:timers/promises'`,
  `await new Promise((resolve) => setTimeout(resolve, 500))`,
  `await page.waitForTimeout(500)`,
  `select pg_sleep(0.5);`,
  `expect(performance.now() - startedAt).toBeLessThan(2_500)`,
  `const [seconds] = process.hrtime()`,
  `expect(Date.now() - before).toBeLessThan(1_000)`,
  `await waitUntil(isFollowed, { timeoutMs: 1_900 })`,
  `test('eventually', { retry: 3 }, async () => {`,
])('[R41] %s is refused', (line) => {
  expect(findTiming('a.test.ts', `import x from 'x'\n${line}\n`)).toEqual([
    expect.stringContaining('a.test.ts:2: '),
  ])
})

test.each([
  `await waitUntil(() => answers.length === 3 || 'not all have answered')`,
  `await pace(50)`,
  `await waitUntil(isFollowed, { timeoutMs: 120_000 })`,
  `const before = Date.now()`,
  `expect(storedAt).toBeLessThanOrEqual(Date.now() + clockErrorMs)`,
  `await moveExpiry(session, Date.now() - 1_000)`,
  `const startedAt = performance.now() // timing: a figure that is printed.`,
  `// timing: the clock itself.\nconst timer = setTimeout(act, delayMs)`,
])('[R41] %s is accepted', (lines) => {
  expect(findTiming('a.test.ts', lines)).toEqual([])
})

test('[R41] a marker without a reason is refused', () => {
  expect(findTiming('a.test.ts', 'setTimeout(act, 5) // timing:')).toHaveLength(1)
})
