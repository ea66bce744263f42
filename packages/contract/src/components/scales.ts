import { Type } from 'typebox'
import { Prose } from '../text.ts'
import { defaultTo, readAs } from './annotations.ts'
import { declareType, error, type Finding, warning } from './component-type.ts'
import type { Received } from './received.ts'
import { Amount, Choice, ends, Flag, question, range, rangeFindings, ScaleValue, Whole } from './settings.ts'

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
    ticks: Type.Optional(
      Type.Number({
        title: 'Ticks',
        exclusiveMinimum: 0,
        description: 'Distance between numbered marks along the line; none when absent',
      }),
    ),
    labels: Marks('Labels spread evenly along the line; none when absent'),
    start: Amount('Start', 'Initial position of the handle; no handle at first when absent'),
    colours: Choice(
      'Colours',
      ['plain', 'heat'],
      'The line has one colour, or goes from cold blue to hot red along the scale (a heat slider); the data are the same',
    ),
    showValue: Flag(
      'Show numbers',
      'The value and both ends are shown as numbers; without it, the line is a pure visual analogue scale',
      true,
    ),
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
    const { min, max, step, start, ticks } = settings
    const order = rangeFindings(settings, written)
    if (order.length > 0) return order
    return [
      ...(step > max - min
        ? [error('/step', `step (${step}) is larger than the range from ${min} to ${max}`)]
        : []),
      ...(start !== undefined && (start < min || start > max)
        ? [error('/start', `start (${start}) is not on the scale from ${min} to ${max}`)]
        : []),
      ...(ticks === undefined ? [] : tickFindings(ticks, settings)),
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

/** More do not fit below a line on a phone. */
const maxTicks = 21

function tickFindings(
  ticks: number,
  { min, max, showValue }: { min: number; max: number; showValue: boolean },
): Finding[] {
  const count = Math.floor((max - min) / ticks + 1e-9) + 1
  if (count > maxTicks)
    return [error('/ticks', `makes ${count} marks; at most ${maxTicks} fit, so ticks must be larger`)]
  if (count < 2) return [error('/ticks', `ticks (${ticks}) is larger than the range from ${min} to ${max}`)]
  return showValue ? [] : [warning('/ticks', '‘ticks’ has no effect without ‘showValue’')]
}

const likertSettings = Type.Object({
  ...question,
  points: Whole('Points', 2, 21, 'Number of points; the number of labels, or 7 when absent'),
  min: defaultTo(1, Whole('First point', -100, 100, 'Number of the first point; 1 when absent')),
  labels: Marks('A label for each point; none when absent'),
  ...ends,
})

const pointsOf = ({ points, labels }: Received<typeof likertSettings>) => points ?? labels?.length ?? 7

export const likert = declareType({
  type: 'likert',
  title: 'Likert scale',
  description:
    'A statement with a scale from disagreement to agreement. Points are numbered from 1, or from `min`.',
  place: 'state',
  settings: likertSettings,
  responds: 'once',
  requiredByDefault: true,
  sentBy: 'page_button',
  records: 'The chosen point, counting from `min` at the low end, or from 1.',
  example: {
    settings: { label: 'I trust the other person.', minLabel: 'not at all', maxLabel: 'completely' },
    response: 5,
  },
  response: (settings) =>
    Type.Integer({
      title: 'Point',
      minimum: settings.min,
      maximum: settings.min + pointsOf(settings) - 1,
    }),
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
