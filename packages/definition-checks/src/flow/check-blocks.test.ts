import type { ExperimentDefinition, State } from '@atrium/contract'
import { experiment, state } from '@atrium/testkit/definitions'
import { describe, expect, it } from 'vitest'
import { checkFlow } from './check-flow.ts'

type Block = NonNullable<ExperimentDefinition['blocks']>[number]

const button = { end: { on: 'button' as const } }

const errorsOf = (block: Partial<Block>, first: Partial<State> = {}) =>
  checkFlow(
    experiment(
      [state('start', { ...button, ...first }), state('a', button), state('b', button), state('c', button)],
      {
        blocks: [{ id: 'some', states: ['a', 'b', 'c'], ...block }],
      },
    ),
    () => true,
  ).errors.map(({ path, message }) => `${path}: ${message}`)

describe('[F113] a rule that ends a block after a round', () => {
  it('needs a largest number of rounds', () => {
    expect(errorsOf({ until: 'visit > 3', rounds: 5 })).toEqual([])
    expect(errorsOf({ until: 'visit > 3' })).toEqual([
      '/blocks/0/until: block ‘some’ has a single round, so there is nothing to stop; set ‘rounds’ to the largest number of rounds that may be played',
    ])
  })
})

describe('[F111] a sample of states', () => {
  it('can have all of them, and no more', () => {
    expect(errorsOf({ sample: 1 })).toEqual([])
    expect(errorsOf({ sample: 3 })).toEqual([])
    expect(errorsOf({ sample: 4 })).toEqual([
      '/blocks/0/sample: cannot draw 4 states: block ‘some’ has 3; draw fewer, or leave ‘sample’ out',
    ])
  })

  it('cannot be the target of a transition or a deadline, which would sometimes lead nowhere', () => {
    expect(errorsOf({ sample: 2 }, { next: [{ to: 'b' }] })).toEqual([
      '/states/0/next/0/to: ‘b’ may not be drawn: block ‘some’ plays only 2 of its 3 states; lead to a state that is always played',
    ])
    const timed = { end: { on: 'timed' as const, afterMs: 10, onTimeout: { to: 'b' } } }
    expect(errorsOf({ sample: 2 }, timed)).toEqual([
      expect.stringMatching(/^\/states\/0\/end\/onTimeout\/to: ‘b’ may not be drawn/),
    ])
    expect(errorsOf({ sample: 3 }, timed)).toEqual([])
  })

  it('counts as the steps that are played', () => {
    expect(errorsOf({ rounds: 10_000, sample: 3 })).toEqual([])
    const states = Array.from({ length: 20 }, (_, index) => state(`s${index}`, button))
    const errors = (sample: number) =>
      checkFlow(
        experiment(states, {
          blocks: [{ id: 'b', states: states.map(({ id }) => id), rounds: 10_000, sample }],
        }),
        () => true,
      ).errors
    expect(errors(10)).toEqual([])
    expect(errors(11)).toHaveLength(1)
  })
})

describe('[F89] a block that each participant skips by themselves', () => {
  const group = { matching: { groupSize: 2 } }
  const found = (block: Partial<Block>, more: Partial<ExperimentDefinition> = group) =>
    checkFlow(
      experiment([state('start', button), state('a', button)], {
        blocks: [{ id: 'some', states: ['a'], ...block }],
        variables: { own: { scope: 'participant', initial: 0 } },
        ...more,
      }),
      () => true,
    ).errors.map(({ path, message }) => `${path}: ${message}`)

  it('may read what belongs to one participant, which a condition for the room may not', () => {
    expect(found({ when: 'own > 0', per: 'participant' })).toEqual([])
    expect(found({ when: 'own > 0' })).toHaveLength(1)
  })

  it('needs a condition, and a group that moves together', () => {
    expect(found({ per: 'participant' })).toEqual([
      '/blocks/0/per: says whom ‘when’ is asked of, but block ‘some’ has none; it is always played',
    ])
    expect(found({ when: 'own > 0', per: 'participant' }, { matching: { groupSize: 1 } })).toEqual([
      '/blocks/0/per: is only for groups that move through the study together; elsewhere, each participant skips a block by themselves',
    ])
  })
})
