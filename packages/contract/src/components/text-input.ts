import { Type } from 'typebox'
import { defaultTo, inUnit } from './annotations.ts'
import { declareType, type Finding, warning } from './component-type.ts'
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
})
type TextInputSettings = Received<typeof settings>

const longest = { short: 1_000, paragraph: 20_000 }

const longestOf = ({ kind, maxLength }: TextInputSettings): number =>
  maxLength ?? (kind === 'paragraph' ? longest.paragraph : longest.short)

const bounded = <Bound extends string>(name: Bound, value: number | undefined) =>
  value === undefined ? {} : { [name]: value }

export const textInput = declareType({
  type: 'text_input',
  title: 'Text input',
  description: 'A text field for a line, a paragraph, a number or an e-mail address.',
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
      case 'number': {
        const bounds = { title, ...bounded('minimum', known.min), ...bounded('maximum', known.max) }
        return known.integer ? Type.Integer(bounds) : Type.Number(bounds)
      }
      case 'email':
        return Type.String({ title, format: 'email', maxLength: 254 })
      // Like Prose and Name, these refuse what PostgreSQL cannot store or would change.
      case 'paragraph':
        return Type.String({ title, pattern: `^[^\\u0000\\p{Cs}]${length}$` })
      case 'short':
        return Type.String({ title, pattern: `^[^\\p{Cc}\\p{Cs}]${length}$` })
    }
  },
  findings: (known, written) => {
    const { min, max, minLength } = known
    return [
      ...notAbove(written, 'minLength', minLength, 'maxLength', longestOf(known)),
      ...(min === undefined || max === undefined ? [] : notAbove(written, 'min', min, 'max', max)),
      ...uselessSettings(known.kind, written),
    ]
  },
  simulated: { usualMs: 4_000 },
})

const useless = {
  short: ['min', 'max', 'integer'],
  paragraph: ['min', 'max', 'integer'],
  number: ['minLength', 'maxLength'],
  email: ['min', 'max', 'integer', 'minLength', 'maxLength'],
}

/** `max: 10` without `kind: number` records text, which is hardly the intention. */
const uselessSettings = (kind: TextInputSettings['kind'], written: object): Finding[] =>
  useless[kind]
    .filter((name) => Object.hasOwn(written, name))
    .map((name) => warning(`/${name}`, `‘${name}’ has no effect on a text input of kind ‘${kind}’`))
