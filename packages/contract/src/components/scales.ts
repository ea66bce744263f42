import { type Static, Type } from 'typebox'
import { Prose } from '../text.ts'
import { declareType, error } from './component-type.ts'
import { Amount, ends, Flag, question, range, rangeFindings, rangeOf, ScaleValue, Whole } from './settings.ts'

const Marks = (description: string) =>
  Type.Optional(Type.Array(Prose(200, 'A mark'), { minItems: 2, maxItems: 21, description }))

export const slider = declareType({
  type: 'slider',
  title: 'Slider',
  description:
    'A visual analogue scale: one value between two ends. The handle appears where the participant first touches the line, unless `start` places it.',
  place: 'state',
  settings: Type.Object({
    ...question,
    ...range,
    step: Type.Optional(
      Type.Number({ exclusiveMinimum: 0, description: 'Distance of the values; 1 when absent' }),
    ),
    labels: Marks('Texts spread evenly along the line; none when absent'),
    start: Amount('Where the handle stands at first; nowhere when absent'),
    showValue: Flag(
      'The value is shown as a number, and those of the ends where no text stands; false when absent',
    ),
  }),
  responds: 'once',
  requiredByDefault: true,
  records: 'The value, between `min` and `max`.',
  secret: [],
  example: {
    settings: { label: 'How do you feel right now?', minLabel: 'very bad', maxLabel: 'very good' },
    response: 62,
  },
  response: (settings) => ScaleValue({ step: 1, ...settings }),
  findings: (settings) => {
    const { min, max } = rangeOf(settings)
    const { step = 1, start } = settings
    const order = rangeFindings(settings)
    if (order.length > 0) return order
    return [
      ...(step > max - min
        ? [error('/step', `step (${step}) is larger than the scale from ${min} to ${max}`)]
        : []),
      ...(start !== undefined && (start < min || start > max)
        ? [error('/start', `start (${start}) is not on the scale from ${min} to ${max}`)]
        : []),
    ]
  },
})

const likertSettings = Type.Object({
  ...question,
  points: Whole(2, 21, 'Number of points; the number of labels, else 7 when absent'),
  labels: Marks('A text for each point; none when absent'),
  ...ends,
})

const pointsOf = ({ points, labels }: Static<typeof likertSettings>) => points ?? labels?.length ?? 7

export const likert = declareType({
  type: 'likert',
  title: 'Likert scale',
  description: 'One statement, and a row of points to agree or disagree by.',
  place: 'state',
  settings: likertSettings,
  responds: 'once',
  requiredByDefault: true,
  records: 'The chosen point, counted from 1 at the low end.',
  secret: [],
  example: {
    settings: { label: 'I trust the other person.', minLabel: 'not at all', maxLabel: 'completely' },
    response: 5,
  },
  response: (settings) => Type.Integer({ minimum: 1, maximum: pointsOf(settings) }),
  findings: (settings) => {
    const { labels } = settings
    const points = pointsOf(settings)
    return labels === undefined || labels.length === points
      ? []
      : [
          error(
            '/labels',
            `there are ${labels.length} labels for ${points} points; use minLabel and maxLabel to name only the ends`,
          ),
        ]
  },
})
