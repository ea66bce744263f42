import { Type } from 'typebox'
import { declareType } from './component-type.ts'
import { AnswersByRow, Headings, labelOf, OneOf, Options, optionFindings, rowFindings } from './options.ts'
import { Flag, question } from './settings.ts'

export const ranking = declareType({
  type: 'ranking',
  title: 'Ranking',
  description: 'Items to put in order, best first.',
  place: 'state',
  settings: Type.Object({
    ...question,
    items: Options('Items', 2, 'The items to rank'),
    shuffle: Flag('Random order', 'The items are initially shown in random order'),
  }),
  responds: 'once',
  requiredByDefault: true,
  sentBy: 'page_button',
  records: 'The values of all items in ranked order, best first.',
  example: {
    settings: { label: 'What matters most to you?', items: ['price', 'quality', 'looks'] },
    response: ['quality', 'price', 'looks'],
  },
  // Together these three constraints require a permutation.
  response: ({ items }) =>
    Type.Array(OneOf('Item', items), {
      title: 'Order',
      minItems: items.length,
      maxItems: items.length,
      uniqueItems: true,
    }),
  findings: ({ items }) => optionFindings('/items', items),
  simulated: { usualMs: 5_000 },
})

export const matrix = declareType({
  type: 'matrix',
  title: 'Matrix',
  description: 'Several questions with the same answers, as a grid with one row per question.',
  place: 'state',
  settings: Type.Object({
    ...question,
    rows: Headings('Rows', 'The questions'),
    columns: Headings('Columns', 'The answers'),
    multiple: Flag('Several answers', 'Several answers per row'),
    allRows: Flag('Every row', 'Every row must be answered', true),
    shuffle: Flag('Random order', 'The rows are shown in random order'),
  }),
  responds: 'once',
  requiredByDefault: true,
  sentBy: 'page_button',
  records: 'For each row the value of the chosen column, or the list of values with `multiple`.',
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
  response: ({ rows, columns, multiple, allRows }) => {
    const answer = (title: string) =>
      multiple
        ? Type.Array(OneOf('Answer', columns), {
            title,
            minItems: 1,
            maxItems: columns.length,
            uniqueItems: true,
          })
        : OneOf(title, columns)
    const inRow = (row: (typeof rows)[number]) => answer(labelOf(row))
    return AnswersByRow(rows, (row) => (allRows ? inRow(row) : Type.Optional(inRow(row))), {
      title: 'Answers',
    })
  },
  findings: ({ rows, columns, allRows }) => [
    ...rowFindings('/rows', rows, allRows),
    ...optionFindings('/columns', columns),
  ],
  simulated: { usualMs: 5_000 },
})
