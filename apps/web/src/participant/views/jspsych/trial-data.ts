import type { PlannedTrial } from '@atrium/contract/components'
import type { FrameReport } from '../../../jspsych/messages.ts'
import { isRecord } from '../questions/answer.ts'

/** The data of one trial, as it is sent: what jsPsych recorded, and where in the timeline it belongs. */
export type TrialData = Readonly<Record<string, unknown>> & {
  trial_type: string
  trial_index: number
  run: number
}

/** Of any text in the data. What is cut off can only be a stimulus or a very long answer. */
const longestText = 2_000
/** What is sent; the server accepts a little more. */
const maxBytes = 88 * 1_024

/** Messages between windows can hold more than JSON can. */
export function trialDataOf(data: object, planned: PlannedTrial, index: number, run: number): TrialData {
  const plain: unknown = JSON.parse(JSON.stringify(data, shortenedTo(longestText)))
  return { ...(isRecord(plain) ? plain : {}), trial_type: planned.type, trial_index: index, run }
}

const shortenedTo =
  (longest: number) =>
  (key: string, value: unknown): unknown =>
    typeof value === 'string' && value.length > longest && key !== 'trial_type'
      ? value.slice(0, longest)
      : value

/**
 * All trials, if necessary without their stimuli, which the definition has as well, and with their texts cut further: what
 * the server refuses as too large could never be sent.
 */
export function fittingResponse(trials: readonly TrialData[]): { trials: readonly TrialData[] } {
  if (isFitting(trials)) return { trials }
  let fitting = trials.map(({ stimulus: _dropped, ...rest }) => rest as TrialData)
  for (let longest = longestText / 2; longest > 1 && !isFitting(fitting); longest /= 2)
    fitting = JSON.parse(JSON.stringify(fitting, shortenedTo(longest)))
  return { trials: fitting }
}

const isFitting = (trials: readonly TrialData[]): boolean =>
  new TextEncoder().encode(JSON.stringify(trials)).length <= maxBytes

/** The finished trials in a draft that an earlier run of the page has left; none if it belongs to another timeline. */
export function finishedIn(draft: unknown, planned: readonly PlannedTrial[]): TrialData[] {
  const kept = isRecord(draft) && Array.isArray(draft.trials) ? draft.trials : []
  const isOurs = kept.every(
    (trial, index) =>
      isRecord(trial) &&
      trial.trial_index === index &&
      trial.trial_type === planned[index]?.type &&
      typeof trial.run === 'number',
  )
  return isOurs ? kept : []
}

const withoutData = ['frame_loaded', 'timeline_started', 'timeline_finished', 'timeline_failed'] as const

/** A message from the frame; undefined for any other. */
export function frameReportIn(message: unknown): FrameReport | undefined {
  if (!isRecord(message)) return undefined
  const plain = withoutData.find((name) => name === message.atrium)
  if (plain !== undefined) return { atrium: plain }
  return message.atrium === 'trial_finished' && isRecord(message.data)
    ? { atrium: 'trial_finished', data: message.data }
    : undefined
}
