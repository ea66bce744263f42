import { type Component, limits } from '@atrium/contract'
import { componentTypeOf, responseSchemaOf, withStandIns } from '@atrium/contract/components'

// F59: answers about each of the others are sent as one, which has a length like any other.

/** The part of JSON Schema that responses use. */
interface Form {
  type?: unknown
  enum?: readonly unknown[]
  const?: unknown
  anyOf?: readonly Form[]
  properties?: Readonly<Record<string, Form>>
  items?: Form
  maxItems?: number
  uniqueItems?: boolean
  maxLength?: number
  pattern?: string
}

/** In UTF-8, characters have up to four. */
const longestCharacter = 4
/** Quotation marks, colon and comma around an alias such as P12. */
const aliasBytes = 7

/**
 * What to say of a question whose answers together may be longer than an answer can be; undefined if they cannot. It is an error only
 * of what somebody has set: nearly nobody writes as much as a text may have without a limit of its own.
 */
export function tooLongAboutEach(
  { forEach: _, ...component }: Component,
  others: number,
): { isError: boolean; message: string } | undefined {
  const schema = responseSchemaOf(withStandIns(component))
  if (!schema) return undefined
  /** Of the answers about everybody, with texts of so many bytes. */
  const bytes = (textOf: (characters: number) => number): number =>
    2 + others * (aliasBytes + longestOf(schema, textOf))
  const isTooLong = (perCharacter: number): boolean =>
    bytes((characters) => characters * perCharacter) > limits.responseBytes
  const isCertain = isTooLong(1)
  const hasLimit = Object.hasOwn(componentTypeOf(component.type).settings.properties, 'maxLength')
  const isSet = !hasLimit || ('maxLength' in component && component.maxLength !== undefined)
  if (!isCertain && !(isSet && isTooLong(longestCharacter))) return undefined
  const rest = bytes(() => 0)
  const texts = bytes(() => 1) - rest
  const perCharacter = isCertain ? 1 : longestCharacter
  const fits = hasLimit && texts > 0 ? Math.floor((limits.responseBytes - rest) / texts / perCharacter) : 0
  const remedy =
    fits >= 1
      ? `Set ‘maxLength’ to ${fits} or less, or make the groups smaller`
      : 'Shorten what can be answered, or make the groups smaller'
  const message = isCertain
    ? `the answers about up to ${others} others are sent together and can have ${bytes((characters) => characters)} bytes; the limit is ${limits.responseBytes}. ${remedy}`
    : `the answers about up to ${others} others are sent together; at full length they exceed the limit of ${limits.responseBytes} bytes in scripts whose letters take several bytes each. ${remedy} if people write in one`
  return { isError: isCertain && isSet, message }
}

/** As JSON. Numbers count as one digit: they are never what makes an answer long. */
function longestOf(form: Form, textOf: (characters: number) => number): number {
  const longest = (forms: readonly Form[]): number =>
    Math.max(0, ...forms.map((one) => longestOf(one, textOf)))
  if (form.anyOf) return longest(form.anyOf)
  if (form.enum) return Math.max(0, ...form.enum.map(bytesOf))
  if (form.const !== undefined) return bytesOf(form.const)
  switch (form.type) {
    case 'string':
      return 2 + textOf(form.maxLength ?? longestMatchOf(form.pattern))
    case 'object':
      return Object.entries(form.properties ?? {}).reduce(
        (sum, [name, part]) => sum + bytesOf(name) + 2 + longestOf(part, textOf),
        2,
      )
    case 'array':
      return 2 + longestList(form, textOf)
    default:
      return 1
  }
}

function longestList(
  { items = {}, maxItems, uniqueItems }: Form,
  textOf: (characters: number) => number,
): number {
  const repeated = (maxItems ?? 0) * (longestOf(items, textOf) + 1)
  if (!uniqueItems || !items.enum) return repeated
  const once = items.enum.reduce<number>((sum, one) => sum + bytesOf(one) + 1, 0)
  return maxItems === undefined ? once : Math.min(repeated, once)
}

/** The patterns of texts end with how long they may be. */
const longestMatchOf = (pattern = ''): number => Number(/\{\d+,(\d+)\}\$$/.exec(pattern)?.[1] ?? 0)

const bytesOf = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length
