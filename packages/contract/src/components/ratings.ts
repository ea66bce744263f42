import { Type } from 'typebox'
import { Name } from '../text.ts'
import { defaultTo, inUnit, titled } from './annotations.ts'
import { declareType, error } from './component-type.ts'
import { Flag, question, range, rangeFindings, ScaleValue, Whole } from './settings.ts'

const rated = {
  ...question,
  ...range,
  mediaId: titled(
    'Video or audio',
    Type.Optional(Name(200, 'The video or audio to rate; the only one shown when absent')),
  ),
}

const dayMs = 86_400_000
const maxSamples = 1_000
/** How often a simulated participant sends samples while something plays. */
const simulatedBatches = 4

export const continuousRating = declareType({
  type: 'continuous_rating',
  title: 'Continuous rating',
  description:
    'A rating given continuously, usually while a video or audio plays. The client takes samples and sends them in batches.',
  place: 'both',
  settings: Type.Object({
    ...rated,
    sampleMs: defaultTo(
      250,
      inUnit('ms', Whole('Sampling interval', 20, 60_000, 'Time between samples; 250 when absent')),
    ),
  }),
  responds: 'many',
  requiredByDefault: false,
  agentsCannot: 'it is a stream of samples, and agents act in turns',
  records:
    'Samples. `t` is the position in the media in milliseconds or, without media, the time in the state.',
  example: {
    settings: { label: 'How tense is this scene?', mediaId: 'film' },
    response: [
      { t: 0, value: 50 },
      { t: 250, value: 53.5 },
    ],
  },
  response: ({ min, max }) =>
    Type.Array(
      Type.Object(
        {
          t: inUnit('ms', Type.Number({ title: 'Time', minimum: 0, description: 'Time in milliseconds' })),
          value: ScaleValue({ min, max }),
        },
        { title: 'Sample', additionalProperties: false },
      ),
      { title: 'Samples', minItems: 1, maxItems: maxSamples },
    ),
  findings: rangeFindings,
  simulated: {
    // Samples are in chronological order.
    answer: ({ sampleMs }, drawn) =>
      samplesIn(drawn).map((sample, index) => ({ ...sample, t: index * sampleMs })),
    moments: (_settings, mediaMs) =>
      Array.from({ length: simulatedBatches }, (_, batch) => {
        const atMs = Math.round((mediaMs * batch) / simulatedBatches)
        return {
          atMs,
          adapt: (drawn: unknown) => samplesIn(drawn).map((sample) => ({ ...sample, t: sample.t + atMs })),
        }
      }),
  },
})

/** A draw from the schema above is a list of samples. */
const samplesIn = (drawn: unknown) => drawn as { t: number; value: number }[]

const askedAt = { title: 'Position', description: 'Position of the rating' }

export const sparseRating = declareType({
  type: 'sparse_rating',
  title: 'Sparse rating',
  description: 'A rating at given positions of a video or audio, which pauses until the rating is given.',
  place: 'both',
  settings: Type.Object({
    ...rated,
    atMs: Type.Optional(
      Type.Array(inUnit('ms', Type.Integer({ minimum: 0, maximum: dayMs })), {
        title: 'Positions',
        minItems: 1,
        maxItems: 1_000,
        description: 'Positions in the media at which to ask; only the end when absent',
      }),
    ),
    pause: Flag('Pause', 'Playback pauses until the rating is given', true),
  }),
  responds: 'many',
  requiredByDefault: false,
  agentsCannot: 'it is given while a video or audio plays, which agents cannot follow',
  records: 'The position in milliseconds and the value given there.',
  example: {
    settings: { label: 'How much do you like her now?', mediaId: 'film', atMs: [30_000, 60_000] },
    response: { atMs: 30_000, value: 71 },
  },
  response: ({ atMs, min, max }) =>
    Type.Object(
      {
        atMs: inUnit(
          'ms',
          atMs
            ? Type.Enum([...new Set(atMs)], askedAt)
            : Type.Number({ minimum: 0, maximum: dayMs, ...askedAt }),
        ),
        value: ScaleValue({ min, max }),
      },
      { title: 'Rating', additionalProperties: false },
    ),
  findings: (settings, written) => [
    ...rangeFindings(settings, written),
    ...(settings.atMs ?? []).flatMap((at, index, all) =>
      all.indexOf(at) < index ? [error(`/atMs/${index}`, `‘${at}’ is already in the list`)] : [],
    ),
  ],
  simulated: {
    moments: ({ atMs: positions }, mediaMs) =>
      (positions ?? [mediaMs]).map((atMs) => ({
        atMs,
        adapt: (drawn) => ({ ...(drawn as object), atMs }),
      })),
  },
})
