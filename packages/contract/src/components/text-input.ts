import { Type } from 'typebox'
import { defaultTo, inUnit } from './annotations.ts'
import { declareType, type Finding, warning } from './component-type.ts'
import { drawOnGrid, gridFindings, NumberOnGrid, offGrid } from './number-grid.ts'
import type { Received } from './received.ts'
import { Amount, Choice, Flag, notAbove, question, Text, Whole } from './settings.ts'

const settings = Type.Object({
  ...question,
  kind: Choice(
    'Kind',
    ['short', 'paragraph', 'number', 'email'],
    'What to enter: one line, several lines, a number or an e-mail address',
  ),
  placeholder: Text('Placeholder', 500, 'Hint in the empty field; none when absent'),
  minLength: defaultTo(
    1,
    inUnit('characters', Whole('Shortest answer', 0, 20_000, 'Minimum number of characters; 1 when absent')),
  ),
  maxLength: inUnit(
    'characters',
    Whole(
      'Longest answer',
      1,
      20_000,
      'Maximum number of characters; 1,000 for a line and 20,000 for a paragraph when absent',
    ),
  ),
  min: Amount('Lowest value', 'With `number`: lowest value; no limit when absent'),
  max: Amount('Highest value', 'With `number`: highest value; no limit when absent'),
  integer: Flag('Whole numbers', 'With `number`: whole numbers only'),
  step: Type.Optional(
    Type.Number({
      title: 'Step',
      exclusiveMinimum: 0,
      description:
        'With `number`: distance between the values that are accepted, counted from the lowest one or from 0; any value when absent',
    }),
  ),
  decimals: Whole(
    'Decimal places',
    0,
    10,
    'With `number`: digits after the decimal point that are accepted; any number of them when absent',
  ),
  unit: Text(
    'Unit',
    40,
    'With `number`: what is counted, such as kg, € or %, beside the field; none when absent',
  ),
  unitPlace: Choice('Place of the unit', ['after', 'before'], 'With `number`: where the unit stands'),
})
type TextInputSettings = Received<typeof settings>

const longest = { short: 1_000, paragraph: 20_000 }

const longestOf = ({ kind, maxLength }: TextInputSettings): number =>
  maxLength ?? (kind === 'paragraph' ? longest.paragraph : longest.short)

export const textInput = declareType({
  type: 'text_input',
  title: 'Text input',
  description: 'A text field for a line, a paragraph, a number with its unit or an e-mail address.',
  place: 'state',
  settings,
  responds: 'once',
  requiredByDefault: true,
  sentBy: 'page_button',
  records: 'The text, or a number with `number`.',
  example: { settings: { label: 'How old are you?', kind: 'number', min: 18, max: 120 }, response: 34 },
  response: (known) => {
    const title = 'Answer'
    const length = `{${known.minLength},${longestOf(known)}}`
    switch (known.kind) {
      case 'number':
        return NumberOnGrid(known)
      case 'email':
        return Type.String({ title, format: 'email', maxLength: 254 })
      // Like Prose and Name, these refuse what PostgreSQL cannot store or would change.
      case 'paragraph':
        return Type.String({ title, pattern: `^[^\\u0000\\p{Cs}]${length}$` })
      case 'short':
        return Type.String({ title, pattern: `^[^\\p{Cc}\\p{Cs}]${length}$` })
    }
  },
  refusal: (known, value) => (known.kind === 'number' ? offGrid(known, value) : undefined),
  findings: (known, written) => {
    const { min, max, minLength } = known
    return [
      ...notAbove(written, 'minLength', minLength, 'maxLength', longestOf(known)),
      ...(min === undefined || max === undefined ? [] : notAbove(written, 'min', min, 'max', max)),
      ...(known.kind === 'number' ? gridFindings(known) : []),
      ...uselessSettings(known.kind, written),
    ]
  },
  simulated: {
    usualMs: 4_000,
    answer: (known, drawn, { random }) =>
      known.kind === 'number' ? drawOnGrid(known, drawn, random) : drawn,
  },
})

const ofNumbers = ['min', 'max', 'integer', 'step', 'decimals', 'unit', 'unitPlace']

const useless = {
  short: ofNumbers,
  paragraph: ofNumbers,
  number: ['minLength', 'maxLength'],
  email: [...ofNumbers, 'minLength', 'maxLength'],
}

/** `max: 10` without `kind: number` records text, which is hardly the intention. */
const uselessSettings = (kind: TextInputSettings['kind'], written: object): Finding[] =>
  useless[kind]
    .filter((name) => Object.hasOwn(written, name))
    .map((name) => warning(`/${name}`, `‘${name}’ has no effect on a text input of kind ‘${kind}’`))
