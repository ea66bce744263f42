import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { slopeOf } from './harness/measure.ts'
import { type BenchOptions, readCommand, usualOptions } from './options.ts'
import { renderEvents, renderMemory, renderRequests } from './report/report.ts'
import { benchEvents } from './suites/events.ts'
import { benchMatching, renderMatching } from './suites/matching.ts'
import { benchMemory, growthOf } from './suites/memory.ts'
import { benchDiscover, benchJoin } from './suites/requests.ts'

const thisCheckout = fileURLToPath(new URL('../..', import.meta.url))

/** The smallest run of each, so that they do not rot. What they measure says nothing here, and nothing is asserted. */
const smallest: BenchOptions = {
  ...usualOptions,
  seconds: 0.1,
  rounds: 1,
  clients: 4,
  sessions: 20,
  memoryRequests: 200,
}

describe('the benchmarks run', () => {
  test.concurrent('events, with the floor, the naive server and another checkout', async () => {
    const result = await benchEvents('sqlite', { ...smallest, beforeFolder: thisCheckout })
    expect(result.targets.map(({ name }) => name)).toEqual([
      ...['Atrium', 'floor', 'naive', 'naive, one insert', 'Atrium, before'],
    ])
    for (const { figures } of result.targets) expect(figures.requests).toBeGreaterThan(0)
    expect(renderEvents([result])).toContain('| Atrium ')
  })
  test.concurrent('join', async () => {
    const result = await benchJoin('sqlite', smallest)
    expect(result.figures.requests).toBeGreaterThan(0)
    expect(renderRequests('join', [result])).toContain('SQLite')
  })
  test.concurrent('discover', async () => {
    const result = await benchDiscover('sqlite', smallest)
    expect(result.figures.requests).toBeGreaterThan(0)
  })
  test.concurrent('memory', async () => {
    const result = await benchMemory(smallest)
    expect(result.samples.at(-1)?.requests).toBe(200)
    expect(renderMemory(result)).toContain('RSS:')
  })
  test.concurrent('matching', async () => {
    const result = await benchMatching(smallest)
    expect(result.rounds).toBeGreaterThan(0)
    expect(renderMatching(result)).toContain('| claim ')
  })
})

test('a run without arguments is everything on both engines', () => {
  expect(readCommand([])).toEqual({
    benches: ['events', 'join', 'discover', 'memory', 'rooms', 'matching', 'router', 'scale-out'],
    engines: ['sqlite', 'postgres'],
    options: { ...usualOptions, profileFolder: undefined, beforeFolder: undefined },
    write: false,
  })
  expect(() => readCommand(['evnts'])).toThrow('none of events')
  expect(() => readCommand(['--seconds', '0'])).toThrow('not a number above 0')
})

test('memory that grows is not flat', () => {
  const growing = Array.from({ length: 20 }, (_, step) => 100 + 10 * step)
  expect(slopeOf(growing)).toBeCloseTo(10)
  expect(growthOf(growing, 5)).toMatchObject({ bytesPerRequest: 2, isFlat: false })
  expect(
    growthOf(
      growing.map(() => 100),
      5,
    ).isFlat,
  ).toBe(true)
})
