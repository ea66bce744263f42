import { Type } from 'typebox'
import { Name, Prose } from '../text.ts'
import { defaultTo, readAs, titled } from './annotations.ts'
import { declareType } from './component-type.ts'
import { AnswersByRow, rowFindings } from './options.ts'
import { Flag, question, Whole } from './settings.ts'

const Pole = (title: string, description: string) => readAs('plain', titled(title, Prose(200, description)))

const Row = Type.Object({
  value: titled('Value', Name(500, 'Name of the row in the data')),
  left: Pole('Low pole', 'Text at the low end; on the right where people read from right to left'),
  right: Pole('High pole', 'Text at the high end'),
})

export const semanticDifferential = declareType({
  type: 'semantic_differential',
  title: 'Semantic differential',
  description:
    'Rows between two opposite poles, such as cold and warm, each with the same number of steps. The steps have no numbers on the page; in the data they count from the low pole.',
  place: 'state',
  settings: Type.Object({
    ...question,
    rows: Type.Array(Row, {
      title: 'Rows',
      minItems: 1,
      maxItems: 100,
      description: 'Pairs of opposites',
    }),
    points: defaultTo(7, Whole('Steps', 2, 21, 'Number of steps from pole to pole; 7 when absent')),
    min: defaultTo(1, Whole('First step', -100, 100, 'Number of the step at the low pole; 1 when absent')),
    allRows: Flag('Every row', 'Every row must be answered', true),
    shuffle: Flag('Random order', 'The rows are shown in random order'),
  }),
  responds: 'once',
  requiredByDefault: true,
  sentBy: 'page_button',
  records: 'For each row the chosen step, counting from `min` at the low pole, or from 1.',
  example: {
    settings: {
      label: 'The person in the video seemed …',
      rows: [
        { value: 'warmth', left: 'cold', right: 'warm' },
        { value: 'competence', left: 'clumsy', right: 'skilful' },
      ],
    },
    response: { warmth: 5, competence: 3 },
  },
  response: ({ rows, points, min, allRows }) => {
    const poles = new Map(rows.map(({ value, left, right }) => [value, `${left} – ${right}`]))
    const names = [...poles.keys()]
    return AnswersByRow(
      names,
      (name) => {
        const title = poles.get(String(name)) ?? ''
        const step = Type.Integer({ title, minimum: min, maximum: min + points - 1 })
        return allRows ? step : Type.Optional(step)
      },
      { title: 'Steps' },
    )
  },
  findings: ({ rows, allRows }) =>
    rowFindings(
      '/rows',
      rows.map(({ value }) => value),
      allRows,
    ),
  simulated: { usualMs: 5_000 },
})
