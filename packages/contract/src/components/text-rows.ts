import { Type } from 'typebox'
import { defaultTo, inUnit } from './annotations.ts'
import { declareType } from './component-type.ts'
import { AnswersByRow, Headings, labelOf, rowFindings } from './options.ts'
import { Flag, question, Text, Whole } from './settings.ts'

const longest = 2_000

export const textRows = declareType({
  type: 'text_rows',
  title: 'Text rows',
  description: 'Several lines to write in under one question, each with its own label.',
  place: 'state',
  settings: Type.Object({
    ...question,
    rows: Headings('Rows', 'The lines, with what to write in each'),
    placeholder: Text('Placeholder', 500, 'Hint in empty lines; none when absent'),
    maxLength: defaultTo(
      200,
      inUnit(
        'characters',
        Whole('Longest line', 1, longest, 'Maximum number of characters in a line; 200 when absent'),
      ),
    ),
    allRows: Flag('Every row', 'Every line must be filled in', true),
  }),
  responds: 'once',
  requiredByDefault: true,
  sentBy: 'page_button',
  records: 'For each row the text; rows that were left empty are absent.',
  example: {
    settings: {
      label: 'Three words that describe your home town:',
      rows: [
        { value: 'first', label: 'First' },
        { value: 'second', label: 'Second' },
        { value: 'third', label: 'Third' },
      ],
      maxLength: 40,
    },
    response: { first: 'green', second: 'calm', third: 'hilly' },
  },
  response: ({ rows, maxLength, allRows }) => {
    // Like the line of `text_input`, it refuses what PostgreSQL cannot store or would change.
    const pattern = `^[^\\p{Cc}\\p{Cs}]{1,${maxLength}}$`
    return AnswersByRow(
      rows,
      (row) => {
        const line = Type.String({ title: labelOf(row), pattern })
        return allRows ? line : Type.Optional(line)
      },
      { title: 'Lines' },
    )
  },
  findings: ({ rows, allRows }) => rowFindings('/rows', rows, allRows),
  simulated: { usualMs: 8_000 },
})
