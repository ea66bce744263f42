import type { Component, ExportColumn } from '@atrium/contract'
import { reactionStimuliOf } from '@atrium/contract/components'
import { numberIn, type Row, textIn } from '../tables/row.ts'
import { plainCell } from './plain-cell.ts'
import { type TrialColumns, trialsRunBy } from './trial-columns.ts'

type Recorded = Readonly<Record<string, unknown>>

/** The trials within an answer to `reaction_time` or `jspsych`, in the order shown; pages of others may have sent anything. */
export function componentTrialRows(component: Component, value: unknown, columns: TrialColumns): Row[] {
  const trials: unknown = Reflect.get(Object(value), 'trials')
  const kind = trialsRunBy(component)
  if (!kind || !Array.isArray(trials)) return []
  const stimuli = kind === 'reactions' ? reactionStimuliOf(component) : []
  return trials.map((trial: unknown, index) => {
    const recorded: Recorded = typeof trial === 'object' && trial !== null ? { ...trial } : {}
    return {
      source: component.type,
      componentTrial: index + 1,
      ...(kind === 'reactions' ? reactionCells(recorded, stimuli) : timelineCells(recorded, columns)),
    }
  })
}

const flagIn = (value: unknown): boolean | null => (typeof value === 'boolean' ? value : null)
const wholeIn = (value: unknown): number | null => (Number.isSafeInteger(value) ? numberIn(value) : null)

function reactionCells(recorded: Recorded, stimuli: readonly (string | null)[]): Row {
  const { trial, key, rtMs, correct, timedOut, onsetMs, frameMs, input, hidden } = recorded
  const defined = wholeIn(trial)
  return {
    definedTrial: defined === null ? null : defined + 1,
    stimulus: defined === null ? null : stimuli[defined],
    response: textIn(key),
    rtMs: numberIn(rtMs),
    correct: flagIn(correct),
    timedOut: flagIn(timedOut),
    onsetMs: numberIn(onsetMs),
    frameMs: numberIn(frameMs),
    input: textIn(input),
    hidden: flagIn(hidden),
  }
}

function timelineCells(recorded: Recorded, { data, questions }: TrialColumns): Row {
  const { trial_type, stimulus, response, rt, correct, time_elapsed, run } = recorded
  const isByName = typeof response === 'object' && response !== null && !Array.isArray(response)
  return {
    plugin: textIn(trial_type),
    stimulus: plainCell('text', stimulus),
    response: isByName ? null : plainCell('text', response),
    rtMs: numberIn(rt),
    correct: flagIn(correct),
    timeElapsedMs: numberIn(time_elapsed),
    run: wholeIn(run),
    ...(isByName && namedCells(questions, { ...response })),
    ...namedCells(data, recorded),
  }
}

const namedCells = (columns: ReadonlyMap<string, ExportColumn>, recorded: Recorded): Row =>
  Object.fromEntries(
    [...columns].flatMap(([name, column]) =>
      Object.hasOwn(recorded, name) ? [[column.name, plainCell(column.type, recorded[name])]] : [],
    ),
  )
