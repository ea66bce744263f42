import { type TSchema, Type } from 'typebox'
import { compiledOnce } from '../compiled-once.ts'
import { Name } from '../text.ts'
import { secret, titled } from './annotations.ts'
import { declareType } from './component-type.ts'
import { isAsTyped, isRight, Key, keyFindings, OneOf, Options, optionFindings } from './options.ts'
import type { Received } from './received.ts'
import { Choice, Flag, question } from './settings.ts'

const settings = Type.Object({
  ...question,
  options: Type.Optional(
    Options('Options', 2, 'The options to choose from; the answer is typed in when absent'),
  ),
  shuffle: Flag('Random order', 'The options are shown in random order'),
  correct: secret(
    Key(
      'Expected answer',
      'What the text tells people to answer, or a list of what is accepted; never sent to participants',
    ),
  ),
  onFail: Choice(
    'After a wrong answer',
    ['continue', 'end'],
    'What happens after another answer: continue, or end the experiment with SCREENED_OUT',
  ),
})
type Known = Received<typeof settings>

const answerOf = ({ options }: Known): TSchema =>
  options ? OneOf('Answer', options) : titled('Answer', Name(200, 'The text typed in'))

const hasAnswer = compiledOnce(Type.Object({ answer: Type.Unknown() }))

export const attentionCheck = declareType({
  type: 'attention_check',
  title: 'Attention check',
  description:
    'A question whose text says what to answer, such as “Please choose ‘rarely’ here”. The server compares the answer and records whether it was the expected one, which `response.<id>.passed` gives to expressions; the page learns neither. Bots pass it by chance only.',
  place: 'state',
  settings,
  responds: 'once',
  requiredByDefault: true,
  sentBy: 'page_button',
  records: 'The answer, and whether it was the expected one as `passed`; a score of 1 or 0.',
  example: {
    settings: {
      label: 'To show that you are reading, please choose “rarely”.',
      options: ['never', 'rarely', 'sometimes', 'often'],
      correct: 'rarely',
    },
    response: { answer: 'rarely' },
  },
  response: (known) =>
    Type.Object({ answer: answerOf(known) }, { title: 'Answer', additionalProperties: false }),
  recorded: (known) =>
    Type.Object(
      {
        answer: answerOf(known),
        passed: Type.Boolean({ title: 'Passed', description: 'Whether the answer was the expected one' }),
      },
      { title: 'Answer', additionalProperties: false },
    ),
  evaluate: ({ options, correct, onFail }, value) => {
    const answer = hasAnswer(value) ? value.answer : undefined
    const passed = options ? isRight(correct, answer) : isAsTyped(correct, answer)
    return {
      kind: 'accepted',
      isFinal: true,
      recorded: { answer, passed },
      score: passed ? 1 : 0,
      ...(!passed && onFail === 'end' && { outcome: 'SCREENED_OUT' }),
    }
  },
  findings: ({ options, correct }) =>
    options ? [...optionFindings('/options', options), ...keyFindings('/correct', correct, options)] : [],
})
