import { Type } from 'typebox'
import { compiledOnce } from '../compiled-once.ts'
import type { TrialCell } from '../definition/trials.ts'
import type { Settings } from './component-type.ts'
import { questionNamesOf } from './jspsych/simulated-trial.ts'
import { type PlannedTrial, plannedTrials, Timeline } from './jspsych/timeline.ts'

const isTimeline = compiledOnce(Timeline)
const areReactions = compiledOnce(
  Type.Array(Type.Object({ text: Type.Optional(Type.String()), image: Type.Optional(Type.String()) })),
)

const plannedIn = ({ timeline }: Settings): PlannedTrial[] =>
  isTimeline(timeline) ? plannedTrials(timeline, (items) => items) : []

/** What the trials of a jsPsych timeline record by name besides what every plugin does. */
export function namesInTimeline(component: Settings): {
  /** Values that `data` can have, as far as they are no lists or objects. */
  data: Map<string, TrialCell[]>
  /** Names of the questions of surveys. */
  questions: Set<string>
} {
  const data = new Map<string, TrialCell[]>()
  const questions = new Set<string>()
  for (const trial of plannedIn(component)) {
    for (const name of questionNamesOf(trial)) questions.add(name)
    for (const [name, value] of Object.entries(trial.data ?? {})) {
      const values = data.get(name) ?? []
      data.set(name, values)
      values.push(isCell(value) ? value : '')
    }
  }
  return { data, questions }
}

const isCell = (value: unknown): value is TrialCell => value === null || typeof value !== 'object'

/** What the trials of a `reaction_time` show, in the order of the definition; null where that is found in the room. */
export const reactionStimuliOf = ({ trials }: Settings): (string | null)[] =>
  areReactions(trials)
    ? trials.map(({ text, image }) => {
        const shown = text ?? image ?? null
        return shown?.includes('{{') ? null : shown
      })
    : []
