import { type Static, Type } from 'typebox'
import { RecordOf } from '../../record-of.ts'
import { FreeObject, Name } from '../../text.ts'
import { defaultTo, inUnit, titled } from '../annotations.ts'
import { Flag, Whole } from '../settings.ts'
import { jspsychPlugins } from './plugins.ts'

/** In the whole timeline, with all repetitions. */
export const maxTrials = 300

/** A trial also has the parameters of its plugin, which `check-timeline.ts` knows. */
const Open = { additionalProperties: true }

const Trial = Type.Object(
  {
    type: titled('Plugin', Name(60, `The plugin: ${jspsychPlugins.map((name) => `\`${name}\``).join(', ')}`)),
    data: titled(
      'Data',
      Type.Optional(FreeObject('Recorded with the trial, such as its condition; nothing when absent')),
    ),
    post_trial_gap: inUnit(
      'ms',
      Whole('Gap', 0, 60_000, 'How long the frame stays empty after the trial; 0 when absent'),
    ),
    save_trial_parameters: titled(
      'Saved parameters',
      Type.Optional(
        RecordOf(Type.String(), Type.Boolean(), {
          description:
            'Parameters to record with the trial (`true`) or to leave out (`false`); as the plugin does when absent',
        }),
      ),
    ),
  },
  Open,
)

const Block = Type.Object({
  timeline: Type.Array(Trial, {
    title: 'Trials',
    minItems: 1,
    maxItems: 20,
    description: 'Trials that follow each other, once for each row of `timeline_variables`',
  }),
  timeline_variables: Type.Optional(
    Type.Array(FreeObject('The value of each variable'), {
      title: 'Timeline variables',
      minItems: 1,
      maxItems: maxTrials,
      description:
        'Rows of values, which a parameter takes with `{"timelineVariable": "<name>"}`; one row without variables when absent',
    }),
  ),
  repetitions: defaultTo(1, Whole('Repetitions', 1, 100, 'How often all rows are shown; 1 when absent')),
  randomize_order: Flag('Random order', 'The rows are shown in random order, drawn anew for each repetition'),
})

export const Timeline = Type.Array(Type.Union([Trial, Block]), {
  title: 'Timeline',
  minItems: 1,
  maxItems: maxTrials,
  description: `Trials, and blocks of trials, in jsPsych’s own words; a trial has the parameters of its plugin besides these. Up to ${maxTrials} trials in all`,
})

export type TimelineNode = Static<typeof Timeline>[number]
export type TrialNode = Static<typeof Trial>
export type BlockNode = Static<typeof Block>
/** A trial with the values of its row in place of variables. */
export type PlannedTrial = TrialNode & Readonly<Record<string, unknown>>

export const isBlock = (node: TimelineNode): node is BlockNode => 'timeline' in node

export const trialCountOf = (timeline: readonly TimelineNode[]): number =>
  timeline.reduce((count, node) => count + (isBlock(node) ? countInBlock(node) : 1), 0)

const countInBlock = ({ timeline, timeline_variables: rows = [{}], repetitions = 1 }: BlockNode): number =>
  timeline.length * rows.length * repetitions

type Shuffle = <Item>(items: readonly Item[]) => readonly Item[]
type Row = Readonly<Record<string, unknown>>

/** Every trial in the order in which it is shown. The sequence of plugins is the same whatever the shuffle. */
export function plannedTrials(timeline: readonly TimelineNode[], shuffle: Shuffle): PlannedTrial[] {
  const planned: PlannedTrial[] = []
  for (const node of timeline) {
    for (const { trial, row } of isBlock(node) ? trialsInBlock(node, shuffle) : [{ trial: node, row: {} }]) {
      // More are refused on saving; whoever asks before that waits no longer.
      if (planned.length === maxTrials) return planned
      planned.push(withValues(trial, row) as PlannedTrial)
    }
  }
  return planned
}

function* trialsInBlock(block: BlockNode, shuffle: Shuffle): Iterable<{ trial: TrialNode; row: Row }> {
  const { timeline, timeline_variables: rows = [{}], repetitions = 1, randomize_order: isRandom } = block
  for (let repetition = 0; repetition < repetitions; repetition++)
    for (const row of isRandom ? shuffle(rows) : rows) for (const trial of timeline) yield { trial, row }
}

/** The name in `{"timelineVariable": "<name>"}`; undefined for any other value. */
export function variableNamedBy(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== 1) return undefined
  const named: unknown = Reflect.get(value, 'timelineVariable')
  return typeof named === 'string' ? named : undefined
}

function withValues(value: unknown, row: Row): unknown {
  const name = variableNamedBy(value)
  if (name !== undefined) return Object.hasOwn(row, name) ? row[name] : null
  if (Array.isArray(value)) return value.map((child) => withValues(child, row))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, withValues(child, row)]))
}
