import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { PodEntry } from '../../ports/pod-directory.ts'
import { canTake } from './capacity.plan.ts'
import { type EligiblePod, scorePod, selectPod } from './select-pod.ts'

const now = 1_750_000_000_000
const heartbeatMs = 60_000

interface Sample {
  rooms?: number
  participants?: number
  soloRooms?: number
  ageMs?: number | null
  draining?: boolean
  maxRooms?: number
  maxParticipants?: number
}

/** An empty instance with a recent report and the usual limits, unless overridden. */
function pod(podId: string, sample: Sample = {}): EligiblePod {
  const { rooms = 0, participants = 0, soloRooms = 0, ageMs = 0, draining = false } = sample
  const { maxRooms = 20, maxParticipants = 80 } = sample
  return {
    podId,
    lease: { address: 'http://10.0.0.1:3000', draining, maxRooms, maxParticipants },
    metrics: ageMs === null ? null : { activeRooms: 0, totalParticipants: 0, lastUpdate: now - ageMs },
    rooms,
    participants,
    soloRooms,
  }
}

const dead = (podId: string): PodEntry => ({ ...pod(podId), lease: null })
const select = (pods: PodEntry[], groupSize = 4) => selectPod(pods, groupSize, now, heartbeatMs)

describe('scores', () => {
  const alone = { leastRooms: 0, mostRooms: 0, now, heartbeatMs }
  test.each([
    ['empty and fresh', pod('a'), alone, 100],
    ['half full of rooms', pod('a', { rooms: 10 }), { ...alone, leastRooms: 10, mostRooms: 10 }, 82.5],
    ['a quarter full of participants', pod('a', { participants: 20 }), alone, 91.25],
    ['more rooms than any other pod', pod('a', { rooms: 4 }), { ...alone, mostRooms: 4 }, 73],
    ['a medium number of rooms', pod('a', { rooms: 4 }), { ...alone, mostRooms: 8 }, 83],
    ['one heartbeat old', pod('a', { ageMs: 60_000 }), alone, 95],
    ['two heartbeats old', pod('a', { ageMs: 120_000 }), alone, 90],
    ['older still', pod('a', { ageMs: 500_000 }), alone, 90],
    ['never reported', pod('a', { ageMs: null }), alone, 90],
    ['reported with a clock that is ahead', pod('a', { ageMs: -5_000 }), alone, 100],
  ])('[P3,P4,R29] %s', (_, sample, context, expected) => {
    expect(scorePod(sample, context)).toBeCloseTo(expected, 10)
  })
})

describe('the choice', () => {
  test.each([
    ['[P1] no pods, no choice', [], undefined],
    ['[P1] a dead pod is not chosen, even if it is empty', [dead('a'), pod('b', { rooms: 19 })], 'b'],
    ['[P1] a draining pod is not chosen', [pod('a', { draining: true }), pod('b', { rooms: 19 })], 'b'],
    ['[P1] no eligible pod, no choice', [dead('a'), pod('b', { draining: true })], undefined],
    ['[P2] full of rooms', [pod('a', { rooms: 20 })], undefined],
    ['[P2] one room left', [pod('a', { rooms: 19 })], 'a'],
    ['[P2] too little capacity for four', [pod('a', { participants: 77 })], undefined],
    ['[P2] just enough capacity', [pod('a', { participants: 76 })], 'a'],
    ['[P2] each pod has its own limits', [pod('a', { rooms: 2, maxRooms: 2 }), pod('b', { rooms: 19 })], 'b'],
    [
      '[P16] rooms for one take at most half of the rooms from a group',
      [pod('a', { rooms: 60, participants: 60, soloRooms: 60 })],
      'a',
    ],
    [
      '[P16] half of the rooms for one, and half for groups',
      [pod('a', { rooms: 60, participants: 100, soloRooms: 50 })],
      undefined,
    ],
    [
      '[P16] rooms for one take at most half of the places from a group',
      [pod('a', { rooms: 900, participants: 900, soloRooms: 900, maxRooms: 1_000 })],
      'a',
    ],
    ['[P3] the emptier pod is chosen', [pod('a', { rooms: 2 }), pod('b', { rooms: 1 })], 'b'],
    [
      '[P3] the pod with the newer report is chosen',
      [pod('a', { ageMs: 90_000 }), pod('b', { ageMs: 10_000 })],
      'b',
    ],
    ['[P5] of equal pods, the lowest id is chosen', [pod('pod-2'), pod('pod-10'), pod('pod-3')], 'pod-10'],
  ])('%s', (_, pods, expected) => {
    expect(select(pods)).toBe(expected)
  })
})

test('[P16] for one person, every room counts', () => {
  expect(select([pod('a', { rooms: 20, participants: 20, soloRooms: 20 })], 1)).toBeUndefined()
})

describe('for any pods', () => {
  const anyPod = fc
    .record({
      index: fc.nat(12),
      isAlive: fc.boolean(),
      draining: fc.boolean(),
      rooms: fc.nat(25),
      participants: fc.nat(90),
      maxRooms: fc.nat(25),
      maxParticipants: fc.nat(90),
      ageMs: fc.option(fc.integer({ min: -10_000, max: 200_000 })),
    })
    .map(({ index, isAlive, ...sample }) => (isAlive ? pod(`pod-${index}`, sample) : dead(`pod-${index}`)))
  const anyPods = fc.uniqueArray(anyPod, { selector: ({ podId }) => podId, maxLength: 10 })
  const anySize = fc.integer({ min: 1, max: 8 })

  test('[P1,P2,R29] the chosen pod can take the group; there is none only if no pod can', () => {
    fc.assert(
      fc.property(anyPods, anySize, (pods, groupSize) => {
        const able = pods.filter((one) => canTake(one, groupSize)).map(({ podId }) => podId)
        const chosen = select(pods, groupSize)
        if (chosen === undefined) expect(able).toEqual([])
        else expect(able).toContain(chosen)
      }),
    )
  })

  test('[P3] scores range from 0 to 100, and no pod has a higher one than the chosen pod', () => {
    fc.assert(
      fc.property(anyPods, anySize, (pods, groupSize) => {
        const eligible = pods.filter((one) => canTake(one, groupSize))
        const rooms = eligible.map((one) => one.rooms)
        const context = { leastRooms: Math.min(...rooms), mostRooms: Math.max(...rooms), now, heartbeatMs }
        const scores = new Map(eligible.map((one) => [one.podId, scorePod(one, context)]))
        for (const score of scores.values()) {
          expect(score).toBeGreaterThanOrEqual(0)
          expect(score).toBeLessThanOrEqual(100)
        }
        const chosen = select(pods, groupSize)
        if (chosen !== undefined) expect(scores.get(chosen)).toBe(Math.max(...scores.values()))
      }),
    )
  })

  test('[P5,R29] the order of the list does not matter', () => {
    const shuffled = anyPods.chain((pods) =>
      fc.tuple(fc.constant(pods), fc.shuffledSubarray(pods, { minLength: pods.length })),
    )
    fc.assert(
      fc.property(shuffled, anySize, ([pods, others], groupSize) => {
        expect(select(others, groupSize)).toBe(select(pods, groupSize))
      }),
    )
  })
})
