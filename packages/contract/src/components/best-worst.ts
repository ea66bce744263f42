import { Type } from 'typebox'
import { declareType } from './component-type.ts'
import { answersOf, OneOf, Options, optionFindings } from './options.ts'
import { Flag, question, Text } from './settings.ts'

export const bestWorst = declareType({
  type: 'best_worst',
  title: 'Best–worst',
  description:
    'A list of items, of which one is chosen as best and another one as worst (best–worst scaling, MaxDiff). For several sets, use it in several states.',
  place: 'state',
  settings: Type.Object({
    ...question,
    items: Options('Items', 2, 'The items to choose from; usually four to six'),
    bestLabel: Text('Best', 100, 'Head of the column for the best item; “Best” when absent'),
    worstLabel: Text('Worst', 100, 'Head of the column for the worst item; “Worst” when absent'),
    shuffle: Flag('Random order', 'The items are shown in random order'),
  }),
  responds: 'once',
  requiredByDefault: true,
  sentBy: 'page_button',
  records: 'The value of the best and of the worst item.',
  example: {
    settings: {
      label: 'Which of these matters most to you at work, and which matters least?',
      items: ['pay', 'colleagues', 'short way to work', 'interesting tasks'],
      bestLabel: 'Most',
      worstLabel: 'Least',
    },
    response: { best: 'colleagues', worst: 'short way to work' },
  },
  response: ({ items }) =>
    Type.Object(
      { best: OneOf('Best', items), worst: OneOf('Worst', items) },
      { title: 'Best and worst', description: 'Two different items', additionalProperties: false },
    ),
  refusal: (_settings, value) =>
    isSameTwice(value) ? 'The best and the worst item must be two different ones.' : undefined,
  findings: ({ items }) => optionFindings('/items', items),
  simulated: {
    usualMs: 4_000,
    answer({ items }, drawn, { from }) {
      if (!isSameTwice(drawn)) return drawn
      const others = answersOf(items).filter((item) => item !== drawn.best)
      return { best: drawn.best, worst: from(OneOf('Worst', others)) }
    },
  },
})

const isSameTwice = (value: unknown): value is { best: string | number } =>
  typeof value === 'object' &&
  value !== null &&
  'best' in value &&
  'worst' in value &&
  value.best === value.worst
