import { type Static, Type } from 'typebox'
import { Name } from '../text.ts'
import { defaultTo, inUnit, live, titled } from './annotations.ts'
import { declareType, error, type Finding } from './component-type.ts'
import { inconsistencyIn, ReactionResponse, soonestMs } from './reaction-response.ts'
import type { Received } from './received.ts'
import { Flag, imageFindings, OptionalPicture, question, Text, Whole } from './settings.ts'

const AllowedKey = Type.Union([
  Name(20, 'Short form: the key alone'),
  Type.Object({
    key: titled('Key', Name(20, 'The key as browsers name it: `f`, `ArrowLeft`, or a space')),
    label: Text('Label', 200, 'Text of its button on a phone; the name of the key when absent'),
  }),
])

const Trial = Type.Object({
  text: Text('Text', 2_000, 'What to react to; nothing when absent'),
  image: OptionalPicture(
    'Picture',
    'Address of a picture to react to, loaded before the block; none when absent',
  ),
  alt: Text('Alternative text', 1_000, 'Description of the picture; none when absent'),
  correctKey: live(
    'value',
    titled(
      'Correct key',
      Type.Optional(
        Name(
          20,
          'The correct key; pages receive it, because feedback must not wait for the server; not scored when absent',
        ),
      ),
    ),
  ),
})

const Ms = (title: string, min: number, whenAbsent: number, description: string) =>
  defaultTo(
    whenAbsent,
    inUnit('ms', Whole(title, min, 60_000, `${description}; ${whenAbsent.toLocaleString('en')} when absent`)),
  )

const settings = Type.Object({
  ...question,
  keys: Type.Array(AllowedKey, {
    title: 'Keys',
    minItems: 1,
    maxItems: 10,
    description: 'The keys that count as a reaction; on phones, each is a large button',
  }),
  trials: Type.Array(Trial, {
    title: 'Trials',
    minItems: 1,
    maxItems: 300,
    description: 'What is shown, one after another',
  }),
  shuffle: Flag('Random order', 'The trials are shown in random order'),
  autoStart: Flag(
    'Starts by itself',
    'The trials start as soon as the page is shown and its pictures are loaded, without a button: for states of which many follow one another, as with trials from a table',
  ),
  timeoutMs: Ms('Time-out', 50, 2_000, 'How long a trial waits for a key'),
  fixationMs: Ms('Fixation', 0, 500, 'How long the fixation cross is shown before each trial; 0 for none'),
  intervalMs: Ms('Interval', 0, 500, 'How long the page stays empty between trials'),
  feedback: Flag(
    'Feedback',
    'After each trial, the participant sees whether the key was correct or too late',
  ),
  feedbackMs: Ms('Feedback time', 100, 600, 'With `feedback`: how long it is shown'),
})
type ReactionSettings = Received<typeof settings>

const keyOf = (allowed: Static<typeof AllowedKey>): string =>
  typeof allowed === 'string' ? allowed : allowed.key

const keysOf = ({ keys }: Pick<ReactionSettings, 'keys'>): string[] => keys.map(keyOf)

export const reactionTime = declareType({
  type: 'reaction_time',
  runs: 'reactions',
  title: 'Reaction time',
  description: [
    'A block of trials: a fixation cross, then a text or picture, to which the participant reacts with one of the allowed keys.',
    'A reaction is timed from the frame that shows the stimulus to the time stamp that the browser gave the key, both by the browser’s monotonic clock.',
    'Each trial is recorded with the precision of its onset. Pictures are loaded before the block starts.',
    'A reload starts the block again, which the event `trials_started` shows.',
  ].join(' '),
  place: 'state',
  settings,
  responds: 'once',
  requiredByDefault: true,
  sentBy: 'own_button',
  needsPictures: true,
  agentsCannot: 'it measures how fast people press keys',
  records:
    'For each trial, in the order shown, the key, reaction time, correctness, time-out, onset and its precision; and the precision of the clock. Scored by the number of correct keys if any trial has one.',
  example: {
    settings: {
      label: 'Press F for a vowel, J for a consonant.',
      keys: ['f', 'j'],
      trials: [
        { text: 'A', correctKey: 'f' },
        { text: 'K', correctKey: 'j' },
      ],
    },
    response: {
      trials: [
        {
          trial: 0,
          key: 'f',
          rtMs: 412.3,
          correct: true,
          timedOut: false,
          onsetMs: 10_216.7,
          frameMs: 16.7,
          input: 'keyboard',
          hidden: false,
        },
        {
          trial: 1,
          key: null,
          rtMs: null,
          correct: false,
          timedOut: true,
          onsetMs: 11_650.1,
          frameMs: 16.6,
          input: null,
          hidden: false,
        },
      ],
      precision: { frameMs: 16.7, clockStepMs: 0.1 },
    },
  },
  response: (known) =>
    ReactionResponse({ keys: keysOf(known), trials: known.trials.length, timeoutMs: known.timeoutMs }),
  evaluate: (known, value, { elapsedMs }) => {
    const problem = inconsistencyIn(value, known, elapsedMs)
    if (problem !== undefined) return { kind: 'refused', message: problem }
    const isScored = known.trials.some(({ correctKey }) => correctKey !== undefined)
    return { kind: 'accepted', isFinal: true, ...(isScored && { score: rightIn(value) }) }
  },
  findings: (known) => [
    ...duplicateKeys(known),
    ...known.trials.flatMap((trial, index) => [
      ...imageFindings(`/trials/${index}/image`, trial.image),
      ...(trial.correctKey === undefined || keysOf(known).includes(trial.correctKey)
        ? []
        : [error(`/trials/${index}/correctKey`, `‘${trial.correctKey}’ is not among the keys`)]),
      ...(trial.text === undefined && trial.image === undefined
        ? [error(`/trials/${index}`, 'shows nothing: give it a text or an image')]
        : []),
    ]),
  ],
  simulated: {
    earliestMs: ({ timeoutMs }, block) => soonestMs(block, timeoutMs),
    answer: (known, _drawn, { random }) => simulatedBlock(known, random),
  },
})

/** With or without the shift key, it is the same key. */
function duplicateKeys(known: Pick<ReactionSettings, 'keys'>): Finding[] {
  const keys = keysOf(known).map((key) => key.toLowerCase())
  return keys.flatMap((key, index) =>
    keys.indexOf(key) < index ? [error(`/keys/${index}`, `‘${key}’ is already in the list`)] : [],
  )
}

const rightIn = (value: unknown): number =>
  (value as Static<ReturnType<typeof ReactionResponse>>).trials.filter(({ correct }) => correct === true)
    .length

/** Of two seconds: people miss one trial in 33. Where they have longer, they miss fewer. */
const missedMs = 60

/** People take about half a second, are mostly right, and miss a trial now and then. */
function simulatedBlock(known: ReactionSettings, random: () => number) {
  const { trials, timeoutMs, fixationMs, intervalMs } = known
  const keys = keysOf(known)
  const frameMs = 16.7
  let onsetMs = 1_000
  return {
    trials: trials.map(({ correctKey }, trial) => {
      const timedOut = random() < missedMs / timeoutMs
      const rtMs = Math.round(Math.min(timeoutMs, 250 + 500 * random() * random()) * 10) / 10
      const guessed = keys[Math.floor(random() * keys.length)] ?? keys[0] ?? ''
      const key = timedOut ? null : correctKey !== undefined && random() < 0.95 ? correctKey : guessed
      const onset = onsetMs
      onsetMs += fixationMs + intervalMs + (timedOut ? timeoutMs : rtMs)
      return {
        trial,
        key,
        rtMs: timedOut ? null : rtMs,
        correct: correctKey === undefined ? null : key === correctKey,
        timedOut,
        onsetMs: onset,
        frameMs,
        input: timedOut ? null : ('keyboard' as const),
        hidden: false,
      }
    }),
    precision: { frameMs, clockStepMs: 0.1 },
  }
}
