import { type TSchema, Type } from 'typebox'
import { jsonBytesOf } from '../../text.ts'
import { defaultTo, inUnit, titled } from '../annotations.ts'
import { declareType } from '../component-type.ts'
import type { Received } from '../received.ts'
import { question, Whole } from '../settings.ts'
import { timelineFindings } from './check-timeline.ts'
import { simulatedTrial, usualTrialMs } from './simulated-trial.ts'
import { plannedTrials, Timeline } from './timeline.ts'

/** Below the largest response that a room takes, which counts the message around it as well. */
const largestResponseBytes = 90 * 1_024

/** A page that has been open for longer than a day is not taking part any more. */
const longestMs = 86_400_000
const maxReloads = 1_000

const settings = Type.Object({
  ...question,
  timeline: Timeline,
  height: defaultTo(
    480,
    inUnit('px', Whole('Height', 200, 2_000, 'Height of the frame in pixels; 480 when absent')),
  ),
})

const unshuffled = <Item>(items: readonly Item[]) => items

const typesIn = ({ timeline }: Pick<Received<typeof settings>, 'timeline'>): string[] =>
  plannedTrials(timeline, unshuffled).map(({ type }) => type)

const Ms = (title: string, description: string) =>
  inUnit('ms', Type.Number({ title, minimum: 0, maximum: longestMs, description }))

const orNull = <Schema extends TSchema>(title: string, schema: Schema) =>
  Type.Optional(Type.Union([schema, Type.Null()], { title }))

const TrialData = (types: readonly string[]) =>
  Type.Object({
    trial_type: Type.Enum([...new Set(types)], { title: 'Plugin', description: 'The plugin of the trial' }),
    trial_index: Type.Integer({
      title: 'Trial',
      minimum: 0,
      maximum: types.length - 1,
      description: 'Position in the order shown, counted from 0',
    }),
    time_elapsed: Ms(
      'Time elapsed',
      'From the start of the timeline, or its continuation, to the end of the trial',
    ),
    run: Type.Integer({
      title: 'Run',
      minimum: 0,
      maximum: maxReloads,
      description: '0; one more after each reload of the page',
    }),
    rt: orNull('Response time', Ms('Response time', 'As measured by the plugin; null without a response')),
    response: titled(
      'Response',
      Type.Optional(
        Type.Unknown({ description: 'As recorded by the plugin: a key, a number, answers by name' }),
      ),
    ),
  })

const JspsychResponse = (types: readonly string[]) =>
  Type.Object(
    {
      trials: Type.Array(TrialData(types), {
        title: 'Trials',
        minItems: types.length,
        maxItems: types.length,
        description: 'In the order shown, each with everything else that the plugin and `data` record',
      }),
    },
    { title: 'Trials', additionalProperties: false },
  )

export const jspsych = declareType({
  type: 'jspsych',
  runs: 'timeline',
  title: 'jsPsych timeline',
  description: [
    'Trials of official [jsPsych](https://www.jspsych.org) plugins, in a sandboxed frame without access to the network or the participant’s session.',
    'A definition holds data only: parameters that take functions cannot be set, and scripts in HTML do not run.',
    'Parameters are checked against the plugin on saving. The page keeps each finished trial; after a reload, the timeline continues with the next one.',
    'On a touch screen, the keys that a trial waits for are shown as buttons.',
  ].join(' '),
  place: 'state',
  settings,
  responds: 'once',
  requiredByDefault: true,
  sentBy: 'own_button',
  findings: (_settings, written, suggest) => timelineFindings(written, suggest),
  agentsCannot: 'its trials run in a browser and measure how people respond',
  records: 'For each trial, in the order shown, the data of its plugin and its own `data`.',
  example: {
    settings: {
      label: 'Press F for a vowel, J for a consonant.',
      timeline: [
        {
          timeline: [
            { type: 'html-keyboard-response', stimulus: '+', choices: 'NO_KEYS', trial_duration: 500 },
            {
              type: 'html-keyboard-response',
              stimulus: { timelineVariable: 'letter' },
              choices: ['f', 'j'],
              data: { kind: { timelineVariable: 'kind' } },
            },
          ],
          timeline_variables: [
            { letter: 'A', kind: 'vowel' },
            { letter: 'K', kind: 'consonant' },
          ],
        },
      ],
    },
    response: {
      trials: [
        {
          rt: null,
          stimulus: '+',
          response: null,
          trial_type: 'html-keyboard-response',
          trial_index: 0,
          time_elapsed: 503,
          run: 0,
        },
        {
          kind: 'vowel',
          rt: 612,
          stimulus: 'A',
          response: 'f',
          trial_type: 'html-keyboard-response',
          trial_index: 1,
          time_elapsed: 1_118,
          run: 0,
        },
        {
          rt: null,
          stimulus: '+',
          response: null,
          trial_type: 'html-keyboard-response',
          trial_index: 2,
          time_elapsed: 1_621,
          run: 0,
        },
        {
          kind: 'consonant',
          rt: 545,
          stimulus: 'K',
          response: 'j',
          trial_type: 'html-keyboard-response',
          trial_index: 3,
          time_elapsed: 2_168,
          run: 0,
        },
      ],
    },
  },
  response: (known) => JspsychResponse(typesIn(known)),
  evaluate: (known, value) => {
    const problem = inconsistencyIn(value, typesIn(known))
    return problem === undefined ? { kind: 'accepted', isFinal: true } : { kind: 'refused', message: problem }
  },
  simulated: {
    usualMs: 60_000,
    answer: ({ timeline }, _drawn, { random }) => {
      let elapsedMs = 0
      const trials = plannedTrials(timeline, unshuffled).map((trial, index) => {
        elapsedMs += usualTrialMs(trial)
        return { ...simulatedTrial(trial, random), trial_index: index, time_elapsed: elapsedMs, run: 0 }
      })
      return { trials }
    },
  },
})

/** What no page of ours would send, in a sentence. A schema cannot express it. */
function inconsistencyIn(value: unknown, types: readonly string[]): string | undefined {
  if (jsonBytesOf(value) > largestResponseBytes) return 'The data of the trials is larger than 90 KiB.'
  const trials = trialsIn(value)
  const isWhole = types.every((type, index) => {
    const { trial_type, trial_index, run = 0 } = trials[index] ?? {}
    return trial_type === type && trial_index === index && run >= (trials[index - 1]?.run ?? 0)
  })
  return isWhole ? undefined : 'The trials are not those of the timeline, in the order shown.'
}

/** The response schema has already checked them in detail. */
function trialsIn(value: unknown): { trial_type?: string; trial_index?: number; run?: number }[] {
  const trials: unknown = Reflect.get(Object(value), 'trials')
  return Array.isArray(trials) ? trials : []
}
