import type { ExperimentDefinition, State } from '@atrium/contract'
import fc from 'fast-check'
import { isAssignedByCount } from '../rules/opening.ts'

type Block = NonNullable<ExperimentDefinition['blocks']>[number]
type Opened = { definition: ExperimentDefinition; members: readonly unknown[] }

/** R66: the last column is for nobody. */
const rowsOf = (secretMark: string) =>
  [1, 2, 3].map((points) => ({ word: `word ${points}`, points, key: `${secretMark}-${points}` }))

export interface RandomDesign {
  per: 'room' | 'participant'
  trials: Omit<NonNullable<Block['trials']>, 'table'> | undefined
}

/** R65, R66: whose the conditions are, and the trials that the block of a random study plays, if any. */
export const randomDesign: fc.Arbitrary<RandomDesign> = fc.record({
  per: fc.constantFrom('room', 'participant'),
  trials: fc.option(
    fc.record(
      {
        order: fc.constantFrom('listed', 'random', 'latin_square'),
        sample: fc.integer({ min: 1, max: 3 }),
        where: fc.constant('trial.points > 1'),
        until: fc.constantFrom('score > 3', 'trial.index >= 2'),
      },
      { requiredKeys: [] },
    ),
    { nil: undefined, freq: 2 },
  ),
})

/** The same study with the conditions, and with trials of which the states of the block speak. */
export function withDesign(
  { per, trials }: RandomDesign,
  secretMark: string,
  definition: ExperimentDefinition,
): ExperimentDefinition {
  const factors = { form: ['x', 'y'], size: ['small', 'large'] }
  const designed = { ...definition, conditions: { factors, per } }
  const { blocks = [] } = definition
  // Where there is one in it, that plays the rows.
  const block = blocks.at(-1)
  if (!trials || !block) return designed
  return {
    ...designed,
    tables: { words: { rows: rowsOf(secretMark) } },
    blocks: blocks.with(-1, { ...block, trials: { ...trials, table: 'words' } }),
    states: definition.states.map((state) => (block.states.includes(state.id) ? speaking(state) : state)),
  }
}

const speaking = (state: State): State => ({
  instructions: 'Trial {{trial.index}}: {{trial.word}}',
  ...state,
  components: state.components.map((one, at) =>
    at === 0 && one.when === undefined ? { ...one, when: 'trial.index < 3' } : one,
  ),
  onEnd: { ...state.onEnd, own: 'trial.points' },
})

/** What the server would have assigned when the room began. */
export function randomAssignment({ definition, members }: Opened) {
  if (!isAssignedByCount(definition.conditions)) return {}
  const cells = ['x×small', 'x×large', 'y×small', 'y×large']
  const conditions = members.map((_, seat) => cells[seat % cells.length] ?? '')
  const rows = [{}]
  return {
    assigned:
      definition.conditions?.per === 'participant'
        ? { condition: null, conditions, rows }
        : { condition: 'x×small', rows },
  }
}
