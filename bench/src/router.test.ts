import { expect, test } from 'vitest'
import { usualOptions } from './options.ts'
import { renderRouter } from './report/router.ts'
import { benchRouter } from './suites/router.ts'

/** The smallest run, so that it does not rot. What it measures says nothing here, and nothing is asserted. */
test('the benchmark of the router runs, with or without nginx', async () => {
  const result = await benchRouter({ ...usualOptions, seconds: 0.2, rounds: 1, clients: 4, sessions: 50 })
  for (const figures of [result.http, result.echo, result.pod]) {
    expect(figures.map(({ name }) => name).slice(0, 2)).toEqual(['direct', 'Atrium'])
    for (const { operations } of figures) expect(operations).toBeGreaterThan(0)
  }
  expect(renderRouter(result)).toContain('| Atrium ')
})
