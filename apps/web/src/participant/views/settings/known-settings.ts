import { options } from './options.ts'
import {
  boolean,
  fields,
  flag,
  listOf,
  misfit,
  number,
  oneOf,
  optional,
  type ReadBy,
  type Reader,
  record,
  requiredText,
  text,
  withDefault,
} from './reader.ts'

/**
 * What each view reads of its component. The contract's own schemas cannot be used for it: they describe what
 * researchers write, and participants receive it without secrets, which some of them require.
 */
const question = { label: text, help: text }
const ends = { minLabel: text, maxLabel: text }
const range = { min: withDefault(number, 0), max: withDefault(number, 100), ...ends }
const rated = { ...question, ...range, mediaId: text }
const yes = withDefault(boolean, true)

const played = {
  label: text,
  src: text,
  videoId: text,
  durationMs: number,
  controls: flag,
  autoplay: yes,
}

const longPage = fields({ title: text, text, image: text, alt: text })
const page: Reader<ReadBy<typeof longPage>> = (given) =>
  typeof given === 'string'
    ? { title: undefined, text: given, image: undefined, alt: undefined }
    : longPage(given)

const checkQuestion = fields({
  id: requiredText,
  label: text,
  options: optional(options),
  multiple: flag,
})

export const knownSettings = {
  text: fields({ text: withDefault(text, ''), format: oneOf(['markdown', 'plain']) }),
  image: fields({ src: requiredText, alt: withDefault(text, ''), caption: text, width: number }),
  video: fields({ ...played, poster: text, captions: text }),
  audio: fields(played),
  multiple_choice: fields({
    ...question,
    options,
    multiple: flag,
    minChoices: withDefault(number, 1),
    maxChoices: number,
    shuffle: flag,
    allowOther: flag,
    feedback: flag,
  }),
  text_input: fields({
    ...question,
    kind: oneOf(['short', 'paragraph', 'number', 'email']),
    placeholder: text,
    minLength: number,
    maxLength: number,
    min: number,
    max: number,
    integer: flag,
  }),
  slider: fields({
    ...question,
    ...range,
    step: withDefault(number, 1),
    labels: optional(listOf(requiredText)),
    start: number,
    showValue: flag,
  }),
  likert: fields({ ...question, points: number, labels: optional(listOf(requiredText)), ...ends }),
  ranking: fields({ ...question, items: options, shuffle: flag }),
  matrix: fields({
    ...question,
    rows: options,
    columns: options,
    multiple: flag,
    allRows: yes,
    shuffle: flag,
  }),
  continuous_rating: fields({ ...rated, sampleMs: withDefault(number, 250) }),
  sparse_rating: fields({ ...rated, atMs: optional(listOf(requiredNumber)), pause: yes }),
  chat: fields({ label: text, placeholder: text, maxLength: withDefault(number, 4_000) }),
  instructions: fields({
    text,
    pages: withDefault(optional(listOf(page)), []),
    questions: withDefault(optional(listOf(checkQuestion)), []),
    maxAttempts: withDefault(number, 3),
    onFail: oneOf(['continue', 'end']),
  }),
  consent: fields({
    text: withDefault(text, ''),
    minReadMs: withDefault(number, 0),
    requireScroll: flag,
    agreeLabel: withDefault(text, 'I agree'),
    declineLabel: withDefault(text, 'I do not agree'),
  }),
  countdown: fields({ label: text, durationMs: number }),
  payoff: fields({ variable: text, label: text, currency: text, unit: text, decimals: number }),
  custom_html: fields({
    html: withDefault(text, ''),
    height: withDefault(number, 400),
    data: withDefault(optional(record), {}),
  }),
  timer: fields({ label: text, direction: oneOf(['down', 'up']) }),
  progress: fields({ label: text, display: oneOf(['bar', 'steps']) }),
}

function requiredNumber(value: unknown): number | typeof misfit {
  return typeof value === 'number' ? value : misfit
}

export type KnownType = keyof typeof knownSettings
export type SettingsOf<Type extends KnownType> = ReadBy<(typeof knownSettings)[Type]>
