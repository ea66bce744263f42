import { type TSchema, Type } from 'typebox'
import { compiledOnce } from '../compiled-once.ts'
import { DefinitionId } from '../definition/state.ts'
import { RecordOf } from '../record-of.ts'
import { Name, Prose } from '../text.ts'
import { defaultTo, readAs, secret, titled } from './annotations.ts'
import { declareType, type Evaluation, error, type Finding } from './component-type.ts'
import { isAsTyped, isRight, Key, keyFindings, OneOf, Options, optionFindings } from './options.ts'
import type { Filled, Received } from './received.ts'
import { Choice, Flag, imageFindings, OptionalPicture, Text, Whole } from './settings.ts'

const Page = Type.Union([
  readAs('markdown', Prose(20_000, 'Short form: the text alone')),
  Type.Object({
    title: Text('Title', 200, 'Title of the page; none when absent'),
    text: Text('Text', 20_000, 'Text of the page; none when absent', { format: 'markdown' }),
    image: OptionalPicture('Picture', 'Address of a picture; none when absent'),
    alt: Text('Alternative text', 1_000, 'Description of the picture; none when absent'),
  }),
])

const Question = Type.Object({
  id: titled('Id', DefinitionId('Unique among the questions')),
  label: Text('Question', 4_000, 'The question; its id when absent'),
  options: Type.Optional(
    Options('Options', 1, 'The options to choose from; the answer is typed in when absent'),
  ),
  multiple: Flag('Several choices', 'With `options`: several can be chosen, and must match the key exactly'),
  correct: secret(
    Key('Correct answer', 'The correct answer, or a list of correct ones; never sent to participants'),
  ),
})

const settings = Type.Object({
  text: Text('Text', 20_000, 'Text above the pages; none when absent', { format: 'markdown' }),
  pages: defaultTo(
    [],
    Type.Optional(
      Type.Array(Page, {
        title: 'Pages',
        maxItems: 100,
        description: 'Pages to read one by one; none when absent',
      }),
    ),
  ),
  questions: defaultTo(
    [],
    Type.Optional(
      Type.Array(Question, {
        title: 'Questions',
        maxItems: 50,
        description: 'Comprehension check; no check when absent',
      }),
    ),
  ),
  maxAttempts: defaultTo(3, Whole('Attempts', 1, 100, 'Number of attempts; 3 when absent')),
  onFail: Choice(
    'After the last attempt',
    ['continue', 'end'],
    'What happens after the last failed attempt: continue, or end the experiment with SCREENED_OUT',
  ),
})

type Keyed = Pick<Filled<typeof Question>, 'options' | 'correct'>

const hasAnswers = compiledOnce(Type.Object({ answers: RecordOf(Type.String(), Type.Unknown()) }))

export const instructions = declareType({
  type: 'instructions',
  title: 'Instructions',
  description:
    'Pages to read, followed by a comprehension check. The server scores it and never sends the correct answers to participants. The result is `{passed, attemptsLeft, wrong}`; `wrong` lists question ids, and only while attempts are left.',
  place: 'state',
  settings,
  responds: 'once',
  requiredByDefault: true,
  records:
    'The answers of each attempt by question, the number of correct answers as score, and whether the attempt passed.',
  sentBy: 'own_button',
  isCheck: true,
  example: {
    settings: {
      pages: ['You and another person share 10 points.', 'If both steal, nobody gets anything.'],
      questions: [
        { id: 'both_steal', label: 'Both steal. What do you get?', options: [0, 5, 10], correct: 0 },
      ],
      onFail: 'end',
    },
    response: { answers: { both_steal: 0 } },
  },
  asks: ({ questions }) => questions.length > 0,
  response: ({ questions }) => {
    const answers = questions.map((question) => [question.id, answerSchema(question)] as const)
    return Type.Object(
      {
        answers: Type.Object(Object.fromEntries(answers), {
          title: 'Answers by question',
          additionalProperties: false,
        }),
      },
      { title: 'Attempt', additionalProperties: false },
    )
  },
  evaluate: (known, value, { attempt }) => evaluateAnswers(known, value, attempt),
  findings: ({ pages, questions }) => [
    ...pages.flatMap((page, index) =>
      typeof page === 'string' ? [] : imageFindings(`/pages/${index}/image`, page.image),
    ),
    ...questions.flatMap((question, index) => [
      ...(questions.findIndex(({ id }) => id === question.id) < index
        ? [error(`/questions/${index}/id`, `duplicate question id ‘${question.id}’`)]
        : []),
      ...questionFindings(`/questions/${index}`, question),
    ]),
  ],
  simulated: { usualMs: 5_000 },
})

function answerSchema({ id, label, options, multiple }: Received<typeof Question>): TSchema {
  const title = label ?? id
  if (!options) return Type.Union([Name(1_000, 'The text typed in'), Type.Number()], { title })
  if (!multiple) return OneOf(title, options)
  return Type.Array(OneOf('Answer', options), { title, maxItems: options.length, uniqueItems: true })
}

function questionFindings(path: string, { options, correct }: Keyed): Finding[] {
  if (!options) return []
  return [...optionFindings(`${path}/options`, options), ...keyFindings(`${path}/correct`, correct, options)]
}

function evaluateAnswers(known: Filled<typeof settings>, value: unknown, attempt: number): Evaluation {
  const { questions, maxAttempts, onFail } = known
  if (attempt > maxAttempts) return { kind: 'refused', message: 'There are no attempts left.' }
  const answers = hasAnswers(value) ? value.answers : {}
  const wrong = questions.filter((each) => !isAnswered(each, answers[each.id])).map(({ id }) => id)
  const passed = wrong.length === 0
  const attemptsLeft = maxAttempts - attempt
  const isFinal = passed || attemptsLeft === 0
  return {
    kind: 'accepted',
    isFinal,
    // After the last attempt, naming the wrong answers would only help later participants.
    result: { passed, attemptsLeft, ...((passed || attemptsLeft > 0) && { wrong }) },
    score: questions.length - wrong.length,
    ...(isFinal && !passed && onFail === 'end' && { outcome: 'SCREENED_OUT' }),
  }
}

const isAnswered = ({ options, correct }: Keyed, answer: unknown): boolean =>
  options ? isRight(correct, answer) : isAsTyped(correct, answer)
