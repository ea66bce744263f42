import { Type } from 'typebox'
import { Name } from '../text.ts'
import { declareType, error } from './component-type.ts'
import { Flag, question, range, rangeFindings, ScaleValue, Whole } from './settings.ts'

const rated = {
  ...question,
  ...range,
  mediaId: Type.Optional(
    Name(200, 'The video or audio that is rated; the only one that is shown when absent'),
  ),
}

const dayMs = 86_400_000
const mostSamples = 1_000
const askedAt = { description: 'The position that was asked about' }

export const continuousRating = declareType({
  type: 'continuous_rating',
  title: 'Continuous rating',
  description:
    'A rating that is given all the time, usually while a video or audio plays. The client takes samples and sends them in batches.',
  place: 'both',
  settings: Type.Object({
    ...rated,
    sampleMs: Whole(20, 60_000, 'Time between two samples; 250 when absent'),
  }),
  responds: 'many',
  requiredByDefault: false,
  records:
    'Samples: `t` is the position in the media, or the time in the state without media, in milliseconds.',
  secret: [],
  example: {
    settings: { label: 'How tense is this scene?', mediaId: 'film' },
    response: [
      { t: 0, value: 50 },
      { t: 250, value: 53.5 },
    ],
  },
  response: (settings) =>
    Type.Array(
      Type.Object(
        { t: Type.Number({ minimum: 0, description: 'When, in milliseconds' }), value: ScaleValue(settings) },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: mostSamples },
    ),
  findings: rangeFindings,
})

export const sparseRating = declareType({
  type: 'sparse_rating',
  title: 'Sparse rating',
  description: 'A rating at scheduled places of a video or audio, which pauses there until it is given.',
  place: 'both',
  settings: Type.Object({
    ...rated,
    atMs: Type.Optional(
      Type.Array(Type.Integer({ minimum: 0, maximum: dayMs }), {
        minItems: 1,
        maxItems: 1_000,
        description: 'Positions in the media at which it asks; only the end when absent',
      }),
    ),
    pause: Flag('The media waits for the rating; true when absent'),
  }),
  responds: 'many',
  requiredByDefault: false,
  records: 'The position that was asked about, in milliseconds, and the value that was given there.',
  secret: [],
  example: {
    settings: { label: 'How much do you like her now?', mediaId: 'film', atMs: [30_000, 60_000] },
    response: { atMs: 30_000, value: 71 },
  },
  response: (settings) =>
    Type.Object(
      {
        atMs: settings.atMs
          ? Type.Enum([...new Set(settings.atMs)], askedAt)
          : Type.Number({ minimum: 0, ...askedAt }),
        value: ScaleValue(settings),
      },
      { additionalProperties: false },
    ),
  findings: (settings) => [
    ...rangeFindings(settings),
    ...(settings.atMs ?? []).flatMap((at, index, all) =>
      all.indexOf(at) < index ? [error(`/atMs/${index}`, `‘${at}’ stands in the list already`)] : [],
    ),
  ],
})
