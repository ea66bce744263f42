import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import { Name } from '../text.ts'
import { live, titled } from './annotations.ts'
import { error, type Finding } from './component-type.ts'
import { imageFindings, OptionalPicture, Text } from './settings.ts'

const OptionValue = (title: string, description: string) =>
  Type.Union([live('value', Name(500, description)), Type.Number()], { title, description })

const picture = {
  image: OptionalPicture('Picture', 'Address of a picture; none when absent'),
  alt: Text('Alternative text', 1_000, 'Description of the picture; the label when absent'),
}

const OptionForms = <Extra extends TProperties>(extra: Extra) =>
  Type.Union([
    live('value', Name(500, 'Short form: both value and label')),
    Type.Number(),
    Type.Object({
      value: OptionValue('Value', 'Recorded value'),
      label: Text('Label', 2_000, 'Text of the option; the value when absent'),
      when: titled(
        'Shown when',
        Type.Optional(
          Name(
            2_000,
            'Expression, which may read `answers.x`; it is offered while this is true, and always when absent',
          ),
        ),
      ),
      ...extra,
    }),
  ])

const Option = OptionForms(picture)
type Option = Static<typeof Option>
type Answer = string | number

const maxOptions = 200

export const Options = (title: string, min: number, description: string) =>
  Type.Array(Option, { title, minItems: min, maxItems: maxOptions, description })

/** Options without pictures, for the rows and columns of a grid. */
export const Headings = (title: string, description: string, minItems = 1) =>
  Type.Array(OptionForms({}), { title, minItems, maxItems: 100, description })

/** As many options without pictures as a list of all countries or occupations needs. */
export const LongList = (title: string, description: string) =>
  Type.Array(OptionForms({}), { title, minItems: 1, maxItems: 1_000, description })

/** The key of a question: one answer or several. */
export const Key = (title: string, description: string) =>
  Type.Union(
    [
      OptionValue('Answer', 'One answer'),
      Type.Array(OptionValue('Answer', 'An answer'), { minItems: 1, maxItems: maxOptions }),
    ],
    { title, description },
  )
type Key = Static<ReturnType<typeof Key>>

const answerOf = (option: Option): Answer => (typeof option === 'object' ? option.value : option)
export const answersOf = (options: readonly Option[]): Answer[] => options.map(answerOf)

/** The text of an option. */
export const labelOf = (option: Option): string =>
  String(typeof option === 'object' ? (option.label ?? option.value) : option)

/** Of rows whose values are recorded as the keys of an object, where 1 and "1" are the same. */
export const rowFindings = (path: string, rows: readonly Option[], isEachAnswered: boolean): Finding[] => {
  const keys = answersOf(rows).map(String)
  return [...optionFindings(path, keys), ...inheritedNames(path, keys, isEachAnswered)]
}

/**
 * Every object has a `valueOf`, so that a skipped row of that name would look answered. `__proto__` is refused in
 * everything that participants send.
 */
const inheritedNames = (path: string, keys: readonly string[], isEachAnswered: boolean): Finding[] =>
  keys.flatMap((value, index) =>
    value === '__proto__' || (!isEachAnswered && value in Object.prototype)
      ? [error(`${path}/${index}`, `‘${value}’ is a reserved name; choose another value for this row`)]
      : [],
  )

/** An answer with one part for each row, by its value. */
export const AnswersByRow = <Row extends TSchema>(
  rows: readonly Option[],
  partOf: (row: Option) => Row,
  facts: { title: string; description?: string },
) =>
  Type.Object(Object.fromEntries(rows.map((row) => [answerOf(row), partOf(row)])), {
    ...facts,
    additionalProperties: false,
  })

export const OneOf = (title: string, options: readonly Option[]) =>
  Type.Enum([...new Set(answersOf(options))], { title })

const keysOf = (correct: Key): Answer[] => (Array.isArray(correct) ? correct : [correct])

/** A single answer is correct if the key contains it; a list is correct if it equals the key, in any order. */
export function isRight(correct: Key, answer: unknown): boolean {
  const keys = new Set<unknown>(keysOf(correct))
  if (!Array.isArray(answer)) return keys.has(answer)
  return answer.length === keys.size && answer.every((each) => keys.has(each))
}

/** Compares typed answers as people would: "  Ten" is "ten", "10" is 10. */
export function isAsTyped(correct: Key, answer: unknown): boolean {
  const plain = (text: unknown) => String(text).trim().toLowerCase()
  return keysOf(correct).some((key) => plain(key) === plain(answer))
}

export function optionFindings(path: string, options: readonly Option[]): Finding[] {
  const seen = new Set<Answer>()
  return options.flatMap((option, index) => {
    const place = `${path}/${index}`
    const value = answerOf(option)
    const repeated = seen.has(value) ? [error(place, `‘${value}’ is already in the list`)] : []
    seen.add(value)
    const image = typeof option === 'object' ? option.image : undefined
    return [...repeated, ...imageFindings(`${place}/image`, image)]
  })
}

export function keyFindings(path: string, correct: Key, options: readonly Option[]): Finding[] {
  const known = new Set(answersOf(options))
  return keysOf(correct).flatMap((key, index) =>
    known.has(key)
      ? []
      : [
          error(
            Array.isArray(correct) ? `${path}/${index}` : path,
            `the correct answer ‘${key}’ is not among the options`,
          ),
        ],
  )
}
