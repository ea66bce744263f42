import { type Static, Type } from 'typebox'
import { compiledOnce } from '../compiled-once.ts'
import { inUnit, titled } from './annotations.ts'

/** A page that has been open for longer than a day is not taking part any more. */
const longestMs = 86_400_000

const orNull = <Schema extends Parameters<typeof Type.Union>[0][number]>(title: string, schema: Schema) =>
  Type.Union([schema, Type.Null()], { title })

const Ms = (title: string, maximum: number, description: string) =>
  inUnit('ms', Type.Number({ title, minimum: 0, maximum, description }))

const Trial = (keys: string[], trials: number, timeoutMs: number) =>
  Type.Object(
    {
      trial: Type.Integer({
        title: 'Trial',
        minimum: 0,
        maximum: trials - 1,
        description: 'Position in the definition, counted from 0',
      }),
      key: orNull('Key', Type.Enum(keys, { title: 'Key' })),
      rtMs: orNull(
        'Reaction time',
        Ms('Reaction time', timeoutMs, 'From onset to key; null after a time-out'),
      ),
      correct: orNull('Correct', Type.Boolean({ title: 'Correct' })),
      timedOut: Type.Boolean({ title: 'Timed out' }),
      onsetMs: Ms(
        'Onset',
        longestMs,
        'Time stamp of the frame that showed the stimulus, since the page was opened',
      ),
      frameMs: Ms(
        'Precision of the onset',
        longestMs,
        'Time to the next frame: the stimulus became visible within this time after the onset',
      ),
      input: orNull(
        'Input',
        Type.Enum(['keyboard', 'touch', 'mouse', 'pen'], {
          title: 'Input',
          description: 'What the reaction was given with; null after a time-out',
        }),
      ),
      hidden: titled(
        'Hidden',
        Type.Boolean({ description: 'The page was not visible at some time during the trial' }),
      ),
    },
    { additionalProperties: false },
  )

/** All trials of a block, in the order in which they were shown. */
export const ReactionResponse = (facts: { keys: string[]; trials: number; timeoutMs: number }) =>
  Type.Object(
    {
      trials: Type.Array(Trial(facts.keys, facts.trials, facts.timeoutMs), {
        title: 'Trials',
        minItems: facts.trials,
        maxItems: facts.trials,
      }),
      precision: Type.Object(
        {
          frameMs: Ms('Frame interval', longestMs, 'Median time between two frames during the block'),
          clockStepMs: Ms('Step of the clock', 1_000, 'Smallest step of the browser’s clock'),
        },
        { title: 'Precision', additionalProperties: false },
      ),
    },
    { title: 'Reactions', additionalProperties: false },
  )

type Reactions = Static<ReturnType<typeof ReactionResponse>>

/** Any block at all: what the response schema of the component has already checked in detail. */
const isReactions = compiledOnce(
  Type.Object({
    trials: Type.Array(
      Type.Object({ trial: Type.Integer(), timedOut: Type.Boolean(), onsetMs: Type.Number() }),
    ),
  }),
)

/** Clocks of pages and servers run at slightly different speeds. */
const clocksDifferMs = 2_000

/** Frames and keys are stamped at different moments, up to a slow frame apart. */
const stampsDifferMs = 100

/** What no page of ours would send, in a sentence. A schema cannot express it. */
export function inconsistencyIn(
  value: unknown,
  { trials, timeoutMs }: { trials: readonly { correctKey?: string | undefined }[]; timeoutMs: number },
  elapsedMs: number,
): string | undefined {
  if (!isReactions(value)) return 'The reactions are incomplete.'
  const given = (value as Reactions).trials
  if (new Set(given.map(({ trial }) => trial)).size !== trials.length)
    return 'Every trial must be there exactly once.'
  const isWhole = given.every(
    ({ key, rtMs, input, timedOut }) =>
      (key === null) === timedOut && (rtMs === null) === timedOut && (input === null) === timedOut,
  )
  if (!isWhole) return 'A trial has a key, a reaction time and an input, or it timed out.'
  const isMarked = given.every(({ trial, key, correct }) => {
    const { correctKey } = trials[trial] ?? {}
    return correct === (correctKey === undefined ? null : key === correctKey)
  })
  if (!isMarked) return 'A trial is marked as correct although it is not, or the reverse.'
  const onsets = given.map(({ onsetMs }) => onsetMs)
  if (onsets.some((onset, index) => index > 0 && onset <= (onsets[index - 1] ?? 0)))
    return 'The trials are not in the order in which they were shown.'
  const ends = endsOf(given, timeoutMs)
  if (onsets.some((onset, index) => onset + stampsDifferMs < (ends[index - 1] ?? 0)))
    return 'A trial begins before the one before it has ended.'
  return spanMs(given, timeoutMs) > elapsedMs + clocksDifferMs
    ? 'The trials took longer than the state has lasted.'
    : undefined
}

type Given = Pick<Reactions['trials'][number], 'onsetMs' | 'rtMs'>

const endsOf = (given: readonly Given[], timeoutMs: number): number[] =>
  given.map(({ onsetMs, rtMs }) => onsetMs + (rtMs ?? timeoutMs))

const spanMs = (given: readonly Given[], timeoutMs: number): number =>
  (endsOf(given, timeoutMs).at(-1) ?? 0) - (given[0]?.onsetMs ?? 0)

/** How long the state must have lasted before this answer is taken; before anything is known of the answer, no time at all. */
export const soonestMs = (value: unknown, timeoutMs: number): number =>
  isReactions(value) ? Math.max(0, spanMs((value as Reactions).trials, timeoutMs) - clocksDifferMs) : 0
