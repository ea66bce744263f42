import { expect, test } from 'vitest'
import type { MachineFacts } from './harness/machine.ts'
import { usualOptions } from './options.ts'
import { renderCapacityPage } from './report/capacity-page.ts'
import { renderScaleOut } from './report/scale-out.ts'
import type { Rates } from './suites/scale-out/gauges.ts'
import { constantsOf, needsOf, type ScaleOutResult } from './suites/scale-out/model.ts'
import { benchScaleOut } from './suites/scale-out/scale-out.ts'

/** The smallest run, so that it does not rot. What it measures says nothing here, and nothing is asserted. */
test('the benchmark of scaling out runs', async () => {
  const smallest = { ...usualOptions, seconds: 1, rounds: 1, participants: 11 }
  const result = await benchScaleOut(smallest, [1, 2])
  const sizes = [...result.growing, result.crowded]
  expect(
    sizes.map(({ pods, participants, rounds }) => [pods, participants, rounds[0]?.podCores.length]),
  ).toEqual([
    [1, 4, 1],
    [2, 8, 2],
    [1, 8, 1],
  ])
  for (const { playingRssBytes, idle } of sizes) {
    expect(Math.min(...playingRssBytes)).toBeGreaterThan(0)
    expect(idle.redisCommands).toBeGreaterThan(0)
  }
  expect(renderScaleOut(result)).toContain('1,000,000')
})

const ratesOf = (pods: number, perPod: number, added: number): Rates => ({
  podCores: Array.from({ length: pods }, () => perPod + added / pods),
  routerCores: added,
  redisCores: 0.001,
  postgresCores: added,
  redisCommands: 20 * pods + added,
  commits: pods + added,
})

/** A world in which the model is exactly right. */
const sizeOf = (pods: number, people: number) => ({
  pods,
  participants: people,
  idle: ratesOf(pods, 0.01, 0),
  rounds: [ratesOf(pods, 0.01, people / 100)],
  idleRssBytes: [2 ** 27],
  playingRssBytes: [2 ** 28],
  acknowledged: 10 * people,
  refused: 0,
  p50Ms: 1,
  p99Ms: 2,
})
const exact: ScaleOutResult = {
  windowSeconds: 60,
  growing: [1, 2, 4].map((pods) => sizeOf(pods, 60 * pods)),
  crowded: sizeOf(1, 240),
}

test('what is fixed and what grows with people and with pods are told apart', () => {
  const constants = constantsOf(exact)
  expect(constants.perParticipantMinute.podSeconds).toBeCloseTo(0.6)
  expect(constants.perParticipantMinute.actions).toBeCloseTo(10)
  expect(constants.idle.podCores).toBeCloseTo(0.01)
  expect(constants.idle.redisCommandsPerPod).toBeCloseTo(20)
  const needs = needsOf(constants, 6_000, 60)
  expect(needs).toMatchObject({ pods: 100, podGib: 25 })
  expect(needs.podCores).toBeCloseTo(61)
  expect(needs.redisCommands).toBeCloseTo(60 + 2_000)
  expect(renderScaleOut(exact)).toContain('above idle\n  **1.00** (flat means ≤ 1.15: flat)')
})

test('only the measured part of the page is written', () => {
  const page = 'before\n<!-- measured -->\nold\n<!-- end of measured -->\nafter\n'
  const machine: MachineFacts = {
    cores: 2,
    processor: 'a processor',
    memoryGib: 1,
    node: 'v24',
    postgres: '15',
    redis: '7',
    syncMs: 1,
  }
  const written = renderCapacityPage(page, ['scale-out'], machine, 0, 'new')
  expect(written).toMatch(/^before\n.*\nnew\n.*\nafter\n$/s)
  expect(written).not.toContain('old')
  expect(renderCapacityPage(written, ['scale-out'], machine, 0, 'new')).toBe(written)
  expect(() => renderCapacityPage('no place', [], machine, 0, 'new')).toThrow('where the figures go')
})
