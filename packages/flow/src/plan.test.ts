import { anyDefinition, experiment, state } from '@atrium/testkit/definitions'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nextPosition, planSteps, type Step } from './plan.ts'

const idsOf = (steps: readonly Step[]) => steps.map((step) => step.stateId)
const path = (text: string): Step[] =>
  [...text].map((stateId) => ({ stateId, blockId: null, round: null, rounds: null }))

describe('the path', () => {
  it('[F15] states follow each other in the listed order', () => {
    const steps = planSteps(experiment([state('a'), state('b')]), 'seed', 0)
    expect(steps).toEqual(path('ab'))
  })

  it('[F15] a block is played at the position of its first state, in its own order and rounds', () => {
    const states = ['intro', 'x', 'between', 'y', 'outro'].map((id) => state(id))
    const definition = experiment(states, { blocks: [{ id: 'trials', states: ['y', 'x'], rounds: 2 }] })
    const steps = planSteps(definition, 'seed', 0)
    expect(idsOf(steps)).toEqual(['intro', 'y', 'x', 'y', 'x', 'between', 'outro'])
    expect(steps[1]).toEqual({ stateId: 'y', blockId: 'trials', round: 1, rounds: 2 })
    expect(steps.map((step) => step.round)).toEqual([null, 1, 1, 2, 2, null, null])
  })

  it('[F15] every state of a block is played once in each round, whatever the order', () => {
    fc.assert(
      fc.property(anyDefinition, fc.string(), fc.nat(20), (definition, seed, ordinal) => {
        const steps = planSteps(definition, seed, ordinal)
        expect(planSteps(definition, seed, ordinal)).toEqual(steps)
        const sampled = definition.blocks?.some(({ sample }) => sample !== undefined) ?? false
        const all = new Set(definition.states.map(({ id }) => id))
        for (const id of idsOf(steps)) expect(all).toContain(id)
        if (!sampled) expect(new Set(idsOf(steps))).toEqual(all)
        const seen = new Map<string, number>()
        for (const { stateId, blockId, round, rounds } of steps) {
          const visits = (seen.get(stateId) ?? 0) + 1
          seen.set(stateId, visits)
          expect(round).toBe(blockId === null ? null : visits)
          expect(visits).toBeLessThanOrEqual(rounds ?? 1)
        }
        for (const { stateId, rounds } of steps) expect(seen.get(stateId)).toBe(rounds ?? 1)
      }),
    )
  })

  it('[F15] a random order is drawn again for each round and seed', () => {
    const members = ['a', 'b', 'c', 'd', 'e', 'f']
    const definition = experiment(
      members.map((id) => state(id)),
      { blocks: [{ id: 'b', states: members, order: 'random', rounds: 20 }] },
    )
    const steps = idsOf(planSteps(definition, 'seed', 0))
    const orders = Array.from({ length: 20 }, (_, round) => steps.slice(round * 6, round * 6 + 6).join(''))
    expect(new Set(orders).size).toBeGreaterThan(15)
    expect(idsOf(planSteps(definition, 'other', 0))).not.toEqual(steps)
    expect(idsOf(planSteps(definition, 'seed', 1))).not.toEqual(steps)
  })

  it('[F111] a sample is drawn once for all rounds, in the order of the block, and each state is as likely as every other', () => {
    const members = ['a', 'b', 'c', 'd', 'e']
    const drawn = (order: 'fixed' | 'random', seed: string) =>
      idsOf(
        planSteps(
          experiment(
            members.map((id) => state(id)),
            { blocks: [{ id: 'b', states: members, order, rounds: 2, sample: 2 }] },
          ),
          seed,
          0,
        ),
      )
    const counts = new Map<string, number>()
    for (let seed = 0; seed < 1_000; seed += 1) {
      const [first = '', second = '', ...again] = drawn('fixed', `${seed}`)
      expect(first < second).toBe(true)
      expect(again).toEqual([first, second])
      expect(drawn('random', `${seed}`).toSorted()).toEqual([first, first, second, second])
      for (const id of again) counts.set(id, (counts.get(id) ?? 0) + 1)
    }
    expect([...counts.keys()].toSorted()).toEqual(members)
    // 400 of each are expected, with a standard deviation of 15.5; the seeds are fixed.
    for (const count of counts.values()) expect(Math.abs(count - 400)).toBeLessThan(62)
  })

  it('[F111] a recorded seed draws the same sample in every version', () => {
    const members = ['a', 'b', 'c', 'd', 'e']
    const definition = experiment(
      members.map((id) => state(id)),
      { blocks: [{ id: 'b', states: members, order: 'random', sample: 3 }] },
    )
    expect(idsOf(planSteps(definition, 'recorded', 0)).join('')).toBe('eab')
  })

  it('[F111] with a Latin square, a sample plays each state equally often, in each of its positions', () => {
    const members = ['a', 'b', 'c', 'd']
    const definition = experiment(
      members.map((id) => state(id)),
      { blocks: [{ id: 'b', states: members, order: 'latin_square', sample: 2 }] },
    )
    const plans = [0, 1, 2, 3].map((row) => idsOf(planSteps(definition, 'seed', 0, { b: row })))
    for (const position of [0, 1]) expect(plans.map((plan) => plan[position]).toSorted()).toEqual(members)
    expect(plans.map(({ length }) => length)).toEqual([2, 2, 2, 2])
  })

  it('[F15] with a Latin square, each state appears in each position equally often', () => {
    const members = ['a', 'b', 'c', 'd']
    const definition = experiment(
      members.map((id) => state(id)),
      { blocks: [{ id: 'b', states: members, order: 'latin_square' }] },
    )
    const plans = [0, 1, 2, 3].map((ordinal) => idsOf(planSteps(definition, 'seed', ordinal)))
    for (const position of [0, 1, 2, 3])
      expect(plans.map((plan) => plan[position]).toSorted()).toEqual(members)
  })
})

describe('the next position', () => {
  it.each<[string, number, string | null, number]>([
    ['abc', 0, null, 1],
    ['abc', 2, null, 3],
    ['abc', 3, null, 3],
    ['abc', 0, 'end', 3],
    ['abc', 0, 'c', 2],
    ['abc', 2, 'a', 0],
    ['abc', 1, 'b', 1],
    ['abab', 0, 'a', 2],
    ['abab', 1, 'a', 2],
    ['ababc', 4, 'a', 2],
    ['abc', 1, 'nowhere', 2],
  ])('[F16] on %s from %i to %s: %i', (text, position, target, expected) => {
    expect(nextPosition(path(text), position, target)).toBe(expected)
  })

  it('[F16] it is the nearest target ahead, or else the nearest behind', () => {
    const letters = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(letters, fc.nat(11), fc.constantFrom('a', 'b', 'c'), (list, nat, target) => {
        const steps = path(list.join(''))
        const position = nat % steps.length
        const places = list.flatMap((letter, index) => (letter === target ? [index] : []))
        const [ahead] = places.filter((place) => place > position)
        const behind = places.findLast((place) => place <= position)
        expect(nextPosition(steps, position, target)).toBe(ahead ?? behind ?? position + 1)
      }),
    )
  })
})
