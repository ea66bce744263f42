import { Type } from 'typebox'
import { declareType } from './component-type.ts'
import { answersOf, Headings, OneOf, Options, optionFindings } from './options.ts'
import { Flag, question } from './settings.ts'

export const ranking = declareType({
  type: 'ranking',
  title: 'Ranking',
  description: 'Things to put in order, best first.',
  place: 'state',
  settings: Type.Object({
    ...question,
    items: Options(2, 'What is ranked'),
    shuffle: Flag('The items are shown in a drawn order at first; false when absent'),
  }),
  responds: 'once',
  requiredByDefault: true,
  records: 'The values of all items, first rank first.',
  secret: [],
  example: {
    settings: { label: 'What matters most to you?', items: ['price', 'quality', 'looks'] },
    response: ['quality', 'price', 'looks'],
  },
  // Each item once and none missing: together these three make a permutation.
  response: ({ items }) =>
    Type.Array(OneOf(items), { minItems: items.length, maxItems: items.length, uniqueItems: true }),
  findings: ({ items }) => optionFindings('/items', items),
})

export const matrix = declareType({
  type: 'matrix',
  title: 'Matrix',
  description: 'Several questions with the same answers, as a grid: a row for each question.',
  place: 'state',
  settings: Type.Object({
    ...question,
    rows: Headings('The questions'),
    columns: Headings('The answers'),
    multiple: Flag('Several answers a row; false when absent'),
    allRows: Flag('Every row must be answered; true when absent'),
    shuffle: Flag('The rows are shown in a drawn order; false when absent'),
  }),
  responds: 'once',
  requiredByDefault: true,
  records: 'For each row the value of the chosen column, or the list of values with `multiple`.',
  secret: [],
  example: {
    settings: {
      label: 'How often do you …',
      rows: [
        { value: 'read', label: 'read a book' },
        { value: 'walk', label: 'take a walk' },
      ],
      columns: ['never', 'sometimes', 'often'],
    },
    response: { read: 'often', walk: 'sometimes' },
  },
  response: ({ rows, columns, multiple, allRows = true }) => {
    const one = OneOf(columns)
    const answer = multiple
      ? Type.Array(one, { minItems: 1, maxItems: columns.length, uniqueItems: true })
      : one
    const answers = answersOf(rows).map((row) => [row, allRows ? answer : Type.Optional(answer)] as const)
    return Type.Object(Object.fromEntries(answers), { additionalProperties: false })
  },
  findings: ({ rows, columns }) => [
    // Recorded as keys of an object, where 1 and "1" are one.
    ...optionFindings('/rows', answersOf(rows).map(String)),
    ...optionFindings('/columns', columns),
  ],
})
