import { Type } from 'typebox'
import { Name } from '../text.ts'
import { defaultTo, secret, titled } from './annotations.ts'
import { declareType, type Finding, warning } from './component-type.ts'
import { isRight, Key, keyFindings, OneOf, Options, optionFindings } from './options.ts'
import type { Filled, Received } from './received.ts'
import { Flag, notAbove, question, Whole } from './settings.ts'

const settings = Type.Object({
  ...question,
  options: Options('Options', 1, 'The options to choose from'),
  multiple: Flag('Several choices', 'Several options can be chosen'),
  minChoices: defaultTo(
    1,
    Whole('Minimum choices', 0, 200, 'With `multiple`: minimum number of choices; 1 when absent'),
  ),
  maxChoices: Whole(
    'Maximum choices',
    1,
    200,
    'With `multiple`: maximum number of choices; all options when absent',
  ),
  shuffle: Flag('Random order', 'The options are shown in random order'),
  allowOther: Flag('Own answer', 'The participant can write their own answer'),
  correct: secret(
    Type.Optional(
      Key(
        'Correct answer',
        'The correct value, or a list; never sent to participants; not scored when absent',
      ),
    ),
  ),
  feedback: Flag('Feedback', 'The participant is told whether the answer was correct'),
})
type ChoiceSettings = Received<typeof settings>

const availableIn = ({ options, allowOther }: ChoiceSettings): number => options.length + (allowOther ? 1 : 0)

const OwnAnswer = Type.Object(
  { other: titled('Own answer', Name(1_000, 'An answer in the participant’s own words')) },
  { title: 'Own answer', additionalProperties: false },
)

function Response(known: ChoiceSettings) {
  const title = 'Choice'
  const option = OneOf(title, known.options)
  const one = known.allowOther ? Type.Union([option, OwnAnswer], { title }) : option
  if (!known.multiple) return one
  const available = availableIn(known)
  const maxItems = known.maxChoices ?? available
  // Fewer options than that may be left by their conditions.
  const minItems = Math.min(known.minChoices, available)
  return Type.Array(one, { title: 'Choices', minItems, maxItems, uniqueItems: true })
}

export const multipleChoice = declareType({
  type: 'multiple_choice',
  title: 'Multiple choice',
  description:
    'A question with text or picture options, of which one or several can be chosen. With `correct`, the server scores it: 1 if correct, 0 if not. With `multiple`, the choice must match the list exactly.',
  place: 'state',
  settings,
  responds: 'once',
  requiredByDefault: true,
  sentBy: 'page_button',
  records: 'The value of the chosen option, or the list of values with `multiple`; a score when scored.',
  example: {
    settings: {
      label: 'Which of these is the capital of Australia?',
      options: ['Sydney', { value: 'canberra', label: 'Canberra' }],
      correct: 'canberra',
    },
    response: 'canberra',
  },
  response: Response,
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
  findings: (known, written) => [
    ...optionFindings('/options', known.options),
    ...(known.correct === undefined ? [] : keyFindings('/correct', known.correct, known.options)),
    ...(known.multiple ? countFindings(known, written) : uselessCounts(written)),
  ],
  simulated: {
    // People mostly choose one of the given options.
    answer: (known, drawn, { random, from }) =>
      isOwnAnswer(drawn) && random() < 0.8 ? from(Response({ ...known, allowOther: false })) : drawn,
  },
})

const isOwnAnswer = (drawn: unknown): boolean =>
  typeof drawn === 'object' && drawn !== null && 'other' in drawn

function countFindings(known: Filled<typeof settings>, written: object): Finding[] {
  const available = availableIn(known)
  const { minChoices, maxChoices } = known
  return [
    ...notAbove(written, 'minChoices', minChoices, 'maxChoices', maxChoices ?? available),
    ...(maxChoices === undefined
      ? []
      : notAbove({}, 'maxChoices', maxChoices, 'the number of options', available)),
  ]
}

const uselessCounts = (written: object): Finding[] =>
  ['minChoices', 'maxChoices']
    .filter((name) => Object.hasOwn(written, name))
    .map((name) => warning(`/${name}`, `‘${name}’ has no effect without ‘multiple’`))
