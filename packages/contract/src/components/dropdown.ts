import { Type } from 'typebox'
import { declareType } from './component-type.ts'
import { LongList, OneOf, optionFindings } from './options.ts'
import { Flag, question, Text } from './settings.ts'

export const dropdown = declareType({
  type: 'dropdown',
  title: 'Drop-down',
  description:
    'One choice from a long list, such as countries. The list is the browser’s own: typing the first letters finds an option. For up to about ten options, `multiple_choice` shows them all at once.',
  place: 'state',
  settings: Type.Object({
    ...question,
    options: LongList('Options', 'The options to choose from'),
    placeholder: Text('Placeholder', 500, 'Shown before a choice is made; “Choose …” when absent'),
    shuffle: Flag('Random order', 'The options are shown in random order'),
  }),
  responds: 'once',
  requiredByDefault: true,
  sentBy: 'page_button',
  records: 'The value of the chosen option.',
  example: {
    settings: {
      label: 'Where do you live?',
      options: [{ value: 'de', label: 'Germany' }, { value: 'eg', label: 'Egypt' }, 'elsewhere'],
    },
    response: 'eg',
  },
  response: ({ options }) => OneOf('Choice', options),
  findings: ({ options }) => optionFindings('/options', options),
})
