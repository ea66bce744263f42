import { type Static, Type } from 'typebox'
import { declareType, type Finding, warning } from './component-type.ts'
import { Amount, Flag, notAbove, question, Text, Whole } from './settings.ts'

const settings = Type.Object({
  ...question,
  kind: Type.Optional(
    Type.Enum(['short', 'paragraph', 'number', 'email'], {
      description:
        'What is written: one line, several lines, a number or an e-mail address; short when absent',
    }),
  ),
  placeholder: Text(500, 'Grey text in the empty field; none when absent'),
  minLength: Whole(0, 20_000, 'Least number of characters; 1 when absent'),
  maxLength: Whole(
    1,
    20_000,
    'Largest number of characters; 1,000 for a line and 20,000 for a paragraph when absent',
  ),
  min: Amount('With `number`: lowest value; no bound when absent'),
  max: Amount('With `number`: highest value; no bound when absent'),
  integer: Flag('With `number`: whole numbers only; false when absent'),
})
type TextInputSettings = Static<typeof settings>

const longest = { short: 1_000, paragraph: 20_000 }

const lengthsOf = ({ kind, minLength = 1, maxLength }: TextInputSettings) => ({
  least: minLength,
  most: maxLength ?? (kind === 'paragraph' ? longest.paragraph : longest.short),
})

const bounded = <Bound extends string>(name: Bound, value: number | undefined) =>
  value === undefined ? {} : { [name]: value }

export const textInput = declareType({
  type: 'text_input',
  title: 'Text input',
  description: 'A field to write in: a line, a paragraph, a number or an e-mail address.',
  place: 'state',
  settings,
  responds: 'once',
  requiredByDefault: true,
  records: 'What was written, as text; as a number with `number`.',
  secret: [],
  example: { settings: { label: 'How old are you?', kind: 'number', min: 18, max: 120 }, response: 34 },
  response: (known) => {
    const { least, most } = lengthsOf(known)
    switch (known.kind) {
      case 'number': {
        const bounds = { ...bounded('minimum', known.min), ...bounded('maximum', known.max) }
        return known.integer ? Type.Integer(bounds) : Type.Number(bounds)
      }
      case 'email':
        return Type.String({ format: 'email', maxLength: 254 })
      case 'paragraph':
        // As Prose and Name: what PostgreSQL cannot store, or would change, is refused.
        return Type.String({ pattern: `^[^\\u0000\\p{Cs}]{${least},${most}}$` })
      default:
        return Type.String({ pattern: `^[^\\p{Cc}\\p{Cs}]{${least},${most}}$` })
    }
  },
  findings: (known) => {
    const { least, most } = lengthsOf(known)
    const { min, max } = known
    return [
      ...notAbove(known, 'minLength', least, 'maxLength', most),
      ...(min === undefined || max === undefined ? [] : notAbove(known, 'min', min, 'max', max)),
      ...uselessSettings(known),
    ]
  },
})

/** `max: 10` without `kind: number` records text; whoever wrote it should hear of it. */
function uselessSettings(known: TextInputSettings): Finding[] {
  const { kind = 'short' } = known
  const useless = {
    short: ['min', 'max', 'integer'],
    paragraph: ['min', 'max', 'integer'],
    number: ['minLength', 'maxLength'],
    email: ['min', 'max', 'integer', 'minLength', 'maxLength'],
  }
  return useless[kind]
    .filter((name) => Object.hasOwn(known, name))
    .map((name) => warning(`/${name}`, `${name} has no effect on a text input of kind ‘${kind}’`))
}
