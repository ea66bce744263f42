import type { ExperimentDefinition } from '@atrium/contract'
import { experiment, state } from '@atrium/testkit/definitions'
import { expect, it } from 'vitest'
import { balanceNotes } from './balance-notes.ts'

function notesOn(sizes: Record<string, number>, more: Partial<ExperimentDefinition> = {}): string[] {
  const members = Object.entries(sizes).map(([id, count]) => ({
    id,
    states: Array.from({ length: count }, (_, index) => `${id}${index}`),
    order: 'latin_square' as const,
  }))
  const states = [...members.flatMap((block) => block.states), 'last'].map((id) => state(id))
  return balanceNotes(experiment(states, { blocks: members, ...more })).map(({ message }) => message)
}

const conditions = { values: ['x', 'y'] }

it.each<[what: string, notes: string[], sentence: string]>([
  [
    'all together, in rooms',
    notesOn({ A: 3, B: 2 }, { conditions, matching: { groupSize: 4 } }),
    '2 conditions × 6 orders of block ‘A’ × 2 orders of block ‘B’ = 24 cells: balanced in every 24 rooms.',
  ],
  [
    'people who are alone, and who is made up for',
    notesOn({ A: 4 }, { conditions: { ...conditions, balance: 'completed' } }),
    '2 conditions × 4 orders of block ‘A’ = 8 cells: balanced in every 8 participants. Whoever does not complete is made up for.',
  ],
  [
    'orders alone, each person’s own',
    notesOn({ A: 4 }, { matching: { groupSize: 3 }, pacing: 'participant' }),
    '4 orders of block ‘A’: balanced in every 4 people.',
  ],
  [
    'conditions that are drawn',
    notesOn({ A: 2 }, { conditions: { ...conditions, assign: 'random' } }),
    'The condition is drawn for each room, without balance. 2 orders of block ‘A’: balanced in every 2 participants of each condition.',
  ],
  [
    'a capacity that is too small',
    notesOn({}, { conditions, matching: { groupSize: 4 }, capacity: 6 }),
    '2 conditions: balanced in every 2 rooms. With a capacity of 6, not every cell is filled (8 people).',
  ],
  [
    'weights',
    notesOn({ A: 2 }, { conditions: { ...conditions, weights: { y: 2 } } }),
    '2 conditions × 2 orders of block ‘A’ = 4 cells: balanced in every 6 participants, in the shares that the weights say.',
  ],
  [
    'weights that are no whole numbers, and a condition that nobody gets',
    notesOn({}, { conditions: { values: ['x', 'y', 'z'], weights: { x: 0.5, y: 1.5, z: 0 } }, capacity: 3 }),
    '3 conditions: balanced in every 4 participants, in the shares that the weights say. With a capacity of 3, not every cell is filled (4 people).',
  ],
  [
    'conditions of people, beside orders of rooms',
    notesOn({ A: 2 }, { conditions: { ...conditions, per: 'participant' }, matching: { groupSize: 2 } }),
    '2 conditions: balanced in every 2 people. 2 orders of block ‘A’: balanced in every 2 rooms.',
  ],
  [
    'strata',
    notesOn(
      {},
      {
        conditions: { ...conditions, strata: ['gender', 'age'] },
        variables: { age: { scope: 'participant' } },
      },
    ),
    '2 conditions: balanced in every 2 participants with the same ‘gender’ (from the link) and ‘age’.',
  ],
  [
    'too many to balance together',
    notesOn({ A: 5, B: 5, C: 5 }, { conditions }),
    '2 conditions × 10 orders of block ‘A’ × 10 orders of block ‘B’ × 10 orders of block ‘C’ = 2,000 cells, too many to balance together (more than 1,000). Balanced instead: 2 conditions in every 2 participants; 10 orders of block ‘A’ within each condition in every 20 participants; 10 orders of block ‘B’ within each condition in every 20 participants; 10 orders of block ‘C’ within each condition in every 20 participants. The orders of different blocks are independent of each other.',
  ],
])('[F44] says what is balanced, and with which numbers: %s', (_what, notes, sentence) => {
  expect(notes).toEqual([sentence])
})

it('[F44] says nothing where nothing is balanced', () => {
  expect(notesOn({})).toEqual([])
  expect(notesOn({ A: 1 }, { conditions: { values: ['only'] } })).toEqual([])
})
