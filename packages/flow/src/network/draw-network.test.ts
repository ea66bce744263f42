import type { Network } from '@atrium/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { random } from '../random.ts'
import { drawNetwork } from './draw-network.ts'
import { type Edge, neighboursIn } from './graph.ts'

const roles = (size: number): string[] => Array.from({ length: size }, () => 'participant')
const drawn = (network: Network, size: number, seed = 'room 1'): Edge[] =>
  drawNetwork(network, roles(size), random(seed))
const degrees = (network: Network, size: number, seed?: string): number[] =>
  neighboursIn(size, drawn(network, size, seed)).map(({ length }) => length)

/** How many can be reached from the first seat. */
function reached(size: number, edges: readonly Edge[]): number {
  const neighbours = neighboursIn(size, edges)
  const seen = new Set([0])
  for (const node of seen) for (const other of neighbours[node] ?? []) seen.add(other)
  return seen.size
}

const even = (max: number) => fc.integer({ min: 1, max }).map((half) => 2 * half)
const sizes = fc.integer({ min: 3, max: 80 })
const networks: fc.Arbitrary<Network> = fc.oneof(
  fc.record({ kind: fc.constant('ring' as const), degree: even(5) }),
  fc.record({
    ...{ kind: fc.constant('small_world' as const), degree: even(5) },
    rewire: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
  fc.record({ kind: fc.constant('random' as const), degree: fc.integer({ min: 2, max: 12 }) }),
  fc.record({ kind: fc.constant('scale_free' as const), degree: even(5) }),
  fc.record({ kind: fc.constant('lattice' as const), degree: fc.constantFrom(4, 8) }),
  fc.constant<Network>({ kind: 'complete' }),
)

describe('A network', () => {
  it('[RM245] of any kind and size joins nobody with themselves, nobody twice, and everyone with the rest in the end', () => {
    fc.assert(
      fc.property(networks, sizes, fc.string(), (network, size, seed) => {
        const edges = drawn(network, size, seed)
        for (const [one, other] of edges) {
          expect(one).toBeGreaterThanOrEqual(0)
          expect(one).toBeLessThan(other)
          expect(other).toBeLessThan(size)
        }
        expect(new Set(edges.map(String)).size).toBe(edges.length)
        expect(reached(size, edges)).toBe(size)
      }),
    )
  })

  it('[RM245] is the same for the same seed, and another for another where chance decides', () => {
    const network: Network = { kind: 'small_world', degree: 4, rewire: 0.3 }
    expect(drawn(network, 24, 'a')).toEqual(drawn(network, 24, 'a'))
    expect(drawn(network, 24, 'a')).not.toEqual(drawn(network, 24, 'b'))
    expect(drawn({ kind: 'ring' }, 24, 'a')).toEqual(drawn({ kind: 'ring' }, 24, 'b'))
  })

  it('[RM245] gives everyone in a ring, a lattice and a complete network as many neighbours as were asked for', () => {
    expect(degrees({ kind: 'ring' }, 12)).toEqual(Array(12).fill(2))
    expect(degrees({ kind: 'ring', degree: 6 }, 12)).toEqual(Array(12).fill(6))
    for (const size of [9, 12, 16, 20, 25, 100]) {
      expect(degrees({ kind: 'lattice' }, size)).toEqual(Array(size).fill(4))
      expect(degrees({ kind: 'lattice', degree: 8 }, size)).toEqual(Array(size).fill(8))
    }
    expect(degrees({ kind: 'complete' }, 7)).toEqual(Array(7).fill(6))
  })

  it('[RM245] has as many edges after some were moved as before', () => {
    fc.assert(
      fc.property(sizes, even(5), fc.double({ min: 0, max: 1, noNaN: true }), (size, degree, rewire) => {
        const ring = drawn({ kind: 'ring', degree }, size)
        expect(drawn({ kind: 'small_world', degree, rewire }, size)).toHaveLength(ring.length)
        if (degree < size) expect(drawn({ kind: 'random', degree }, size)).toHaveLength((size * degree) / 2)
      }),
    )
    expect(drawn({ kind: 'small_world', degree: 4, rewire: 0 }, 24)).toEqual(
      drawn({ kind: 'ring', degree: 4 }, 24),
    )
  })

  it('[RM245] without a scale has a few with many neighbours, who are anybody', () => {
    const found = degrees({ kind: 'scale_free', degree: 4 }, 200)
    expect(Math.min(...found)).toBe(2)
    expect(Math.max(...found)).toBeGreaterThan(15)
    const first = Array.from({ length: 30 }, (_, index) => {
      const each = degrees({ kind: 'scale_free', degree: 4 }, 40, `room ${index}`)
      return each.indexOf(Math.max(...each))
    })
    expect(new Set(first).size).toBeGreaterThan(8)
  })

  it('[RM245] of listed edges joins seats by number and everyone of a role, and leaves out seats that are not there', () => {
    const network: Network = {
      kind: 'edges',
      edges: [
        [1, 2],
        ['hub', 'rim'],
        [3, 9],
      ],
    }
    expect(drawNetwork(network, ['rim', 'rim', 'hub', 'rim'], random('any'))).toEqual([
      [0, 1],
      [0, 2],
      [1, 2],
      [2, 3],
    ])
    expect(
      drawNetwork({ kind: 'edges', edges: [['rim', 'rim']] }, ['rim', 'rim', 'hub'], random('any')),
    ).toEqual([[0, 1]])
  })

  it('[RM245] of a room that began with fewer people than planned joins them as far as that goes', () => {
    for (const kind of ['ring', 'lattice', 'small_world', 'random', 'scale_free', 'complete'] as const)
      for (const size of [1, 2, 3]) {
        const edges = drawn({ kind, ...(kind !== 'complete' && { degree: 4 }) }, size)
        expect(reached(size, edges)).toBe(size)
      }
    expect(drawn({ kind: 'ring' }, 0)).toEqual([])
  })

  it('[RM245] of a thousand seats has at most twenty thousand edges, whatever was stored', () => {
    expect(drawn({ kind: 'complete' }, 1_000)).toHaveLength(20_000)
    for (const kind of ['ring', 'lattice', 'small_world', 'random', 'scale_free'] as const)
      expect(
        reached(1_000, drawn({ kind, degree: 8, ...(kind === 'small_world' && { rewire: 0.5 }) }, 1_000)),
      ).toBe(1_000)
    expect(drawn({ kind: 'random', degree: 990 }, 1_000)).toHaveLength(20_000)
  })
})
