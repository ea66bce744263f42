import { type Static, Type } from 'typebox'
import { Name } from '../text.ts'
import { declareType, type Finding, warning } from './component-type.ts'
import { isRight, Key, keyFindings, OneOf, Options, optionFindings } from './options.ts'
import { Flag, notAbove, question, Whole } from './settings.ts'

const settings = Type.Object({
  ...question,
  options: Options(1, 'What to choose from'),
  multiple: Flag('Several may be chosen; false when absent'),
  minChoices: Whole(0, 200, 'With `multiple`: at least so many; 1 when absent'),
  maxChoices: Whole(1, 200, 'With `multiple`: at most so many; all of them when absent'),
  shuffle: Flag('The options are shown in a drawn order; false when absent'),
  allowOther: Flag('The participant may write an answer of their own; false when absent'),
  correct: Type.Optional(
    Key('The right value, or a list; never sent to participants; not scored when absent'),
  ),
  feedback: Flag('The participant is told whether the answer was right; false when absent'),
})
type ChoiceSettings = Static<typeof settings>

const choicesOf = ({ options, allowOther, minChoices = 1, maxChoices }: ChoiceSettings) => ({
  least: minChoices,
  most: maxChoices ?? options.length + (allowOther ? 1 : 0),
})

const other = Type.Object(
  { other: Name(1_000, 'An answer in the participant’s own words') },
  { additionalProperties: false },
)

export const multipleChoice = declareType({
  type: 'multiple_choice',
  title: 'Multiple choice',
  description:
    'A question with options, as texts or pictures, of which one or several are chosen. With `correct` the server scores it: 1 for right, 0 for wrong; with `multiple` the choice must be exactly the list.',
  place: 'state',
  settings,
  responds: 'once',
  requiredByDefault: true,
  records: 'The value of the chosen option, or the list of values with `multiple`; a score when scored.',
  secret: ['correct'],
  example: {
    settings: {
      label: 'Which of these is the capital of Australia?',
      options: ['Sydney', { value: 'canberra', label: 'Canberra' }],
      correct: 'canberra',
    },
    response: 'canberra',
  },
  response: (known) => {
    const one = known.allowOther ? Type.Union([OneOf(known.options), other]) : OneOf(known.options)
    if (!known.multiple) return one
    const { least, most } = choicesOf(known)
    return Type.Array(one, { minItems: least, maxItems: most, uniqueItems: true })
  },
  evaluate: ({ correct, feedback }, value) => {
    if (correct === undefined) return { kind: 'accepted', isFinal: true }
    const right = isRight(correct, value)
    return {
      kind: 'accepted',
      isFinal: true,
      score: right ? 1 : 0,
      ...(feedback && { result: { correct: right } }),
    }
  },
  findings: (known) => [
    ...optionFindings('/options', known.options),
    ...(known.correct === undefined ? [] : keyFindings('/correct', known.correct, known.options)),
    ...(known.multiple ? countFindings(known) : uselessCounts(known)),
  ],
})

function countFindings(known: ChoiceSettings): Finding[] {
  const { least, most } = choicesOf(known)
  const available = known.options.length + (known.allowOther ? 1 : 0)
  return [
    ...notAbove(known, 'minChoices', least, 'maxChoices', most),
    ...(known.maxChoices === undefined
      ? []
      : notAbove({}, 'maxChoices', known.maxChoices, 'the number of options', available)),
  ]
}

const uselessCounts = (known: ChoiceSettings): Finding[] =>
  ['minChoices', 'maxChoices']
    .filter((name) => Object.hasOwn(known, name))
    .map((name) => warning(`/${name}`, `${name} has no effect without multiple`))
