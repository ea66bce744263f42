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

describe('[F183] a block in a block', () => {
  const study = (blocks: Block[], more: Partial<ExperimentDefinition> = {}, first: Partial<State> = {}) =>
    checkFlow(
      experiment(
        [state('start', { ...button, ...first }), ...['a', 'b', 'c', 'd'].map((id) => state(id, button))],
        { blocks, ...more },
      ),
      () => true,
    ).errors.map(({ path, message }) => `${path}: ${message}`)

  it('can be three deep, in any order', () => {
    const blocks = [
      { id: 'inmost', states: ['a', 'b'] },
      { id: 'outer', states: ['inner', 'd'], order: 'random' as const, rounds: 3 },
      { id: 'inner', states: ['inmost', 'c'] },
    ]
    expect(study(blocks)).toEqual([])
    expect(study([...blocks, { id: 'all', states: ['outer'] }])).toEqual([
      '/blocks/0: block ‘inmost’ is within 3 others; blocks can be 3 deep',
    ])
  })

  it('is in one block only, and not within itself', () => {
    const inner = { id: 'inner', states: ['a', 'b'] }
    expect(study([inner, { id: 'one', states: ['inner'] }, { id: 'two', states: ['c', 'inner'] }])).toEqual([
      '/blocks/2/states/1: block ‘inner’ is already in block ‘one’; to put that whole block into this one, write ‘one’ here',
    ])
    expect(
      study([
        { id: 'one', states: ['a', 'two'] },
        { id: 'two', states: ['b', 'one'] },
      ]),
    ).toEqual([
      '/blocks/0/states: block ‘one’ would be within itself; take it out of ‘two’',
      '/blocks/1/states: block ‘two’ would be within itself; take it out of ‘one’',
    ])
  })

  it('leaves the rows of a table to the blocks in it', () => {
    const tables = { words: { rows: [{ word: 'a' }] } }
    const trials = { table: 'words' }
    expect(
      study(
        [
          { id: 'outer', states: ['inner'] },
          { id: 'inner', states: ['a'], trials },
        ],
        { tables },
      ),
    ).toEqual([])
    expect(
      study(
        [
          { id: 'outer', states: ['inner'], trials },
          { id: 'inner', states: ['a'] },
        ],
        { tables },
      ),
    ).toEqual([
      '/blocks/0/trials: a block with blocks in it has no trials of its own; give them to the blocks in ‘outer’',
    ])
  })

  it('[F113] cannot read rows in `until` of the block around it, which plays none', () => {
    const tables = { words: { rows: [{ word: 'a' }] } }
    const reading = (until: string) =>
      study(
        [
          { id: 'outer', states: ['inner', 'b'], rounds: 2, until },
          { id: 'inner', states: ['a'], trials: { table: 'words' } },
        ],
        { tables },
      )
    expect(reading('round == 1')).toEqual([])
    expect(reading("trial.word == 'a'")).toEqual([
      expect.stringContaining(
        'block ‘outer’ has blocks in it and plays no rows of its own; read a variable instead',
      ),
    ])
  })

  it('[F185] that may not be drawn cannot be led to, except from within it', () => {
    const blocks = [
      { id: 'outer', states: ['one', 'two'], sample: 1 },
      { id: 'one', states: ['a', 'b'] },
      { id: 'two', states: ['c', 'd'] },
    ]
    expect(study(blocks, {}, { next: [{ to: 'b' }] })).toEqual([
      '/states/0/next/0/to: ‘b’ may not be drawn: block ‘outer’ plays only 1 of its 2 states; lead to a state that is always played',
    ])
    const states = ['start', 'a', 'b', 'c', 'd'].map((id) =>
      state(id, { ...button, ...(id === 'a' && { next: [{ to: 'b' }] }) }),
    )
    expect(study(blocks, { states })).toEqual([])
  })

  it('[F184] multiplies the steps by its rounds', () => {
    const rounds = (outer: number, inner: number) =>
      study([
        { id: 'outer', states: ['inner', 'b'], rounds: outer },
        { id: 'inner', states: ['a'], rounds: inner },
      ])
    expect(rounds(100, 998)).toEqual([])
    expect(rounds(100, 1_000)).toEqual([
      expect.stringContaining('the experiment has 100103 steps, including all rounds'),
    ])
  })

  it('[F18] decides with the blocks around it whether a transition leads back', () => {
    const leading = (order: 'fixed' | 'random') => {
      const next = [{ to: 'c', when: 'visit > 2' }, { to: 'b' }]
      const states = ['start', 'a', 'b', 'c', 'd'].map((id) =>
        state(id, { ...button, ...(id === 'a' && { next }) }),
      )
      const blocks = [
        { id: 'outer', states: ['one', 'two'], order },
        { id: 'one', states: ['a', 'b'] },
        { id: 'two', states: ['c', 'd'] },
      ]
      return study(blocks, { states })
    }
    expect(leading('fixed')).toEqual([])
    expect(leading('random')).toEqual([
      '/states/1/next/0: ‘c’ may come before ‘a’; set atMost, so that the loop ends',
    ])
  })
})
