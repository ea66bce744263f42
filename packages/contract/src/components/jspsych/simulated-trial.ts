import { pickOne, type Random, wholeBetween } from '../../random.ts'
import type { PlannedTrial } from './timeline.ts'

const reactionMs = 600

/** What a trial takes at least, or people usually need. */
export function usualTrialMs({
  choices,
  trial_duration: durationMs,
  post_trial_gap: gapMs = 0,
}: PlannedTrial) {
  const limitMs = typeof durationMs === 'number' ? durationMs : reactionMs
  return gapMs + (choices === 'NO_KEYS' ? limitMs : Math.min(limitMs, reactionMs))
}

/** Data as the plugin would record it, for a person who always responds. */
export function simulatedTrial(trial: PlannedTrial, random: Random): Record<string, unknown> {
  const response = responseTo(trial, random)
  return {
    ...trial.data,
    rt: response === null ? null : 250 + Math.round(500 * random() * random()),
    ...(response !== undefined && { response }),
    ...(typeof trial.stimulus === 'string' && { stimulus: trial.stimulus }),
    trial_type: trial.type,
  }
}

function responseTo(trial: PlannedTrial, random: Random): unknown {
  switch (trial.type) {
    case 'instructions':
      return undefined
    case 'html-button-response':
    case 'image-button-response':
      return wholeBetween(0, Math.max(1, listIn(trial.choices).length) - 1, random)
    case 'html-slider-response':
    case 'image-slider-response':
      return wholeBetween(numberOr(trial.min, 0), numberOr(trial.max, 100), random)
    case 'survey-likert':
    case 'survey-multi-choice':
    case 'survey-multi-select':
    case 'survey-text':
      return Object.fromEntries(
        listIn(trial.questions).map((question, index) => [
          nameOf(question, index),
          answerTo(question, random),
        ]),
      )
    default:
      return pickedKey(trial, random)
  }
}

const keyParameters = ['key_answer', 'left_category_key', 'right_category_key', 'same_key', 'different_key']

function pickedKey(trial: PlannedTrial, random: Random): string | null {
  if (trial.choices === 'NO_KEYS') return null
  const named = keyParameters.map((name) => trial[name])
  const keys = [...listIn(trial.choices).flat(), ...named].filter((key) => typeof key === 'string')
  return keys.length > 0 ? pickOne(keys, random) : ' '
}

function answerTo(question: unknown, random: Random): unknown {
  const choices = [...listIn(fieldOf(question, 'labels')), ...listIn(fieldOf(question, 'options'))]
  return choices.length > 0 ? pickOne(choices, random) : 'an answer'
}

function nameOf(question: unknown, index: number): string {
  const name = fieldOf(question, 'name')
  return typeof name === 'string' && name !== '' ? name : `Q${index}`
}

/** Under which the answers of a survey are recorded; none for other trials. */
export const questionNamesOf = ({ questions }: PlannedTrial): string[] => listIn(questions).map(nameOf)

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

const listIn = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

const numberOr = (value: unknown, whenAbsent: number): number =>
  typeof value === 'number' ? value : whenAbsent
