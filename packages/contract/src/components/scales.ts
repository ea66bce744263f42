import { Type } from 'typebox'
import { Prose } from '../text.ts'
import { defaultTo, readAs } from './annotations.ts'
import { declareType, error } from './component-type.ts'
import type { Received } from './received.ts'
import { Amount, ends, Flag, question, range, rangeFindings, ScaleValue, Whole } from './settings.ts'

const Marks = (description: string) =>
  Type.Optional(
    Type.Array(readAs('plain', Prose(200, 'A label')), {
      title: 'Labels',
      minItems: 2,
      maxItems: 21,
      description,
    }),
  )

export const slider = declareType({
  type: 'slider',
  title: 'Slider',
  description:
    'A visual analogue scale: one value between two ends. The handle appears where the participant first touches the line, unless `start` sets its position.',
  place: 'state',
  settings: Type.Object({
    ...question,
    ...range,
    step: defaultTo(
      1,
      Type.Optional(
        Type.Number({
          title: 'Step',
          exclusiveMinimum: 0,
          description: 'Distance between adjacent values; 1 when absent',
        }),
      ),
    ),
    labels: Marks('Labels spread evenly along the line; none when absent'),
    start: Amount('Start', 'Initial position of the handle; no handle at first when absent'),
    showValue: Flag('Show the value', 'The value is shown as a number, as are ends without a label'),
  }),
  responds: 'once',
  requiredByDefault: true,
  sentBy: 'page_button',
  records: 'The value, between `min` and `max`.',
  example: {
    settings: { label: 'How do you feel right now?', minLabel: 'very bad', maxLabel: 'very good' },
    response: 62,
  },
  response: ScaleValue,
  findings: (settings, written) => {
    const { min, max, step, start } = settings
    const order = rangeFindings(settings, written)
    if (order.length > 0) return order
    return [
      ...(step > max - min
        ? [error('/step', `step (${step}) is larger than the range from ${min} to ${max}`)]
        : []),
      ...(start !== undefined && (start < min || start > max)
        ? [error('/start', `start (${start}) is not on the scale from ${min} to ${max}`)]
        : []),
    ]
  },
  simulated: {
    // Positions of the handle. The schema includes the step only if it is counted from zero.
    answer({ min, max, step }, _drawn, { random }) {
      const steps = Math.floor((max - min) / step + 1e-9)
      const value = min + step * Math.floor(random() * (steps + 1))
      // 0.1 + 0.2 is not quite 0.3.
      return Math.min(max, Number(value.toFixed(10)))
    },
  },
})

const likertSettings = Type.Object({
  ...question,
  points: Whole('Points', 2, 21, 'Number of points; the number of labels, or 7 when absent'),
  labels: Marks('A label for each point; none when absent'),
  ...ends,
})

const pointsOf = ({ points, labels }: Received<typeof likertSettings>) => points ?? labels?.length ?? 7

export const likert = declareType({
  type: 'likert',
  title: 'Likert scale',
  description: 'A statement with a scale from disagreement to agreement.',
  place: 'state',
  settings: likertSettings,
  responds: 'once',
  requiredByDefault: true,
  sentBy: 'page_button',
  records: 'The chosen point, counting from 1 at the low end.',
  example: {
    settings: { label: 'I trust the other person.', minLabel: 'not at all', maxLabel: 'completely' },
    response: 5,
  },
  response: (settings) => Type.Integer({ title: 'Point', minimum: 1, maximum: pointsOf(settings) }),
  findings: (settings) => {
    const { labels } = settings
    const points = pointsOf(settings)
    return labels === undefined || labels.length === points
      ? []
      : [
          error(
            '/labels',
            `has ${labels.length} labels for ${points} points; use minLabel and maxLabel to label only the ends`,
          ),
        ]
  },
})
