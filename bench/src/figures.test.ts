import { expect, test } from 'vitest'
import type { MachineFacts } from './harness/machine.ts'
import { slopeOf } from './harness/measure.ts'
import { findingLine } from './report/finding.ts'
import { sectionsOf, summaryOf, withMeasuredPart } from './report/pages.ts'
import { renderScaleOut } from './report/scale-out.ts'
import { takenTurns } from './suites/agents/taken-turns.ts'
import { returnMs } from './suites/in-step.ts'
import { growthOf } from './suites/memory.ts'
import type { Rates } from './suites/scale-out/gauges.ts'
import { constantsOf, needsOf, type ScaleOutResult } from './suites/scale-out/model.ts'

const ratesOf = (pods: number, perPod: number, added: number): Rates => ({
  podCores: Array.from({ length: pods }, () => perPod + added / pods),
  routerCores: added,
  redisCores: 0.001,
  postgresCores: added,
  redisCommands: 20 * pods + added,
  commits: pods + added,
})

/** Figures that fit the model exactly. */
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

test('the model separates fixed costs from what grows with participants and with pods', () => {
  const constants = constantsOf(exact)
  expect(constants.perParticipantMinute.podSeconds).toBeCloseTo(0.6)
  expect(constants.perParticipantMinute.actions).toBeCloseTo(10)
  expect(constants.idle.podCores).toBeCloseTo(0.01)
  expect(constants.idle.redisCommandsPerPod).toBeCloseTo(20)
  const needs = needsOf(constants, 6_000, 60)
  expect(needs).toMatchObject({ pods: 100, podGib: 25 })
  expect(needs.podCores).toBeCloseTo(61)
  expect(needs.redisCommands).toBeCloseTo(60 + 2_000)
  expect(renderScaleOut(exact).text).toMatch(/above idle: \*\*1\.00\*\* \(target ≤ 1\.15: met\)/)
})

test('only the measured part of a page is replaced', () => {
  const page = 'before\n<!-- measured -->\nold\n<!-- end of measured -->\nafter\n'
  const written = withMeasuredPart(page, 'new')
  expect(written).toMatch(/^before\n.*\nnew\n.*\nafter\n$/s)
  expect(written).not.toContain('old')
  expect(withMeasuredPart(written, 'new')).toBe(written)
  expect(() => withMeasuredPart('no place', 'new')).toThrow('where the figures go')
})

test('the table of all findings says which targets were missed, and when the machine was not quiet', () => {
  const machine: MachineFacts = {
    cores: 2,
    processor: 'a processor',
    memoryGib: 1,
    node: 'v24',
    postgres: '15',
    redis: '7',
    syncMs: 1,
  }
  const findings = [
    { what: 'a ÷ b', value: 2.6, most: 2.5 },
    { what: 'b ÷ a', value: 3, least: 3 },
    { what: 'a', value: 12.3, digits: 0, unit: 'µs' },
  ]
  const record = {
    bench: 'rooms' as const,
    args: 'rooms',
    date: '2026-11-17',
    machine,
    findings,
    text: ['## Rooms', ''],
  }
  const summary = summaryOf([
    { ...record, othersShare: 0.3 },
    { ...record, bench: 'events', date: '2026-11-18', othersShare: 0 },
  ])
  expect(summary).toMatch(/\| rooms +\| a ÷ b +\| +2\.60 \| ≤ 2\.5: missed \| 2026-11-17, not quiet \|/)
  expect(summary).toMatch(/\| events +\| b ÷ a +\| +3\.00 \| ≥ 3: met +\| 2026-11-18 +\|/)
  expect(summary).toMatch(/\| events +\| a +\| +12 µs \| +\|/)
  expect(sectionsOf([{ ...record, othersShare: 0.3 }])).toMatch(
    /^## Rooms\n\nMeasured by `npm run bench -- rooms` on 2026-11-17/,
  )
  expect(findingLine({ what: 'a ÷ b', value: Number.NaN }, 'Install it.')).toBe(
    '- a ÷ b: not measured. Install it.',
  )
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

test('whoever was out of step is back from the first frame on which a steady second follows', () => {
  const frames = (...driftsMs: number[]) =>
    driftsMs.map((driftMs, at) => ({ atMs: 1_000 + 100 * at, driftMs }))
  const steady = Array.from({ length: 12 }, () => 5)
  expect(returnMs(frames(...steady), 900)).toBe(100)
  expect(returnMs(frames(500, 3, -90, ...steady), 950)).toBe(350)
  // Seconds before the disturbance do not count, nor do those cut short by the end.
  expect(returnMs(frames(...steady, 300, 4, 4), 2_150)).toBeUndefined()
})

test('a turn is due when its agent has thought about the state that it has entered', () => {
  const line = (type: string, participantId: string, visit: number, at: number) => ({
    type,
    participantId,
    visit,
    serverTime: new Date(at).toISOString(),
  })
  const lines = [
    line('state_transition', 'a1', 1, 1_000),
    line('state_transition', 'a2', 1, 1_000),
    line('agent_turn', 'a2', 1, 1_750),
    line('agent_turn', 'a1', 1, 1_800),
    line('state_transition', 'a1', 2, 1_800),
    line('agent_turn', 'a1', 2, 2_510),
  ]
  expect(takenTurns(lines, 500).map(({ latencyMs }) => latencyMs)).toEqual([250, 300, 210])
  expect(() => takenTurns([line('agent_turn', 'a3', 1, 2_000)], 0)).toThrow('never entered')
})
