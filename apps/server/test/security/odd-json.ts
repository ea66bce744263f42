import { limits } from '@atrium/contract'

/**
 * JSON that nobody sends by accident, as text: some of it (1e999, numbers beyond the range of a double) cannot be written
 * as a JavaScript value. Every route and action gets all of it, in every property.
 */
export const oddJson: Readonly<Record<string, string>> = {
  'a number that no column can hold': '1e19',
  'the largest double': '1.7976931348623157e308',
  'a number that JSON allows and doubles cannot hold': '1e999',
  'the same, negative': '-1e999',
  'one more than the largest safe integer': '9007199254740993',
  'one more than the largest 64-bit integer': '9223372036854775808',
  'a time after the last date': '8640000000000001',
  'a negative number': '-1',
  'a negative zero': '-0',
  'a fraction': '0.5',
  null: 'null',
  true: 'true',
  NUL: '"\\u0000"',
  'a lone surrogate': '"\\ud800"',
  'an empty text': '""',
  'a long text': `"${'x'.repeat(5_000)}"`,
  'a very long text': `"${'y'.repeat(100_000)}"`,
  'the name of a prototype': '"__proto__"',
  'a piece of SQL': `"'; drop table events; --"`,
  'a right-to-left override': '"\\u202egnihtyna"',
  'an empty list': '[]',
  'an empty object': '{}',
  'a prototype': '{"__proto__":{"polluted":true}}',
  'a constructor': '{"constructor":{"prototype":{"polluted":true}}}',
  'NUL as a name': '{"\\u0000":1}',
  'a list as deep as allowed': nested(limits.jsonDepth - 4),
  'a list one level too deep': nested(limits.jsonDepth + 1),
  'a list 20,000 levels deep': nested(20_000),
}

/** Values just within or beyond what a column, a date or a text can hold, for properties that reach a store. */
export const oddAtTheEdge: Readonly<Record<string, string>> = {
  'a number near the largest double': '1e308',
  'the same, negative': '-1e308',
  'a number near the smallest double': '1e-320',
  'one more than the largest 32-bit integer': '2147483648',
  'one more than the largest safe integer': '9007199254740992',
  'the largest 64-bit integer': '9223372036854775807',
  'the last date': '8640000000000000',
  'a text that reads NaN': '"NaN"',
  'a text that reads Infinity': '"Infinity"',
  'NUL within a text': '"a\\u0000b"',
  'NUL in a list': '["\\u0000"]',
  'a lone low surrogate': '"\\udc00a"',
  'a bell': '"\\u0007"',
  'the name of a constructor': '"constructor"',
  'a list exactly as deep as the limit': nested(limits.jsonDepth),
  'a text that is longer in bytes': `"${'€'.repeat(4_000)}"`,
  'a text of surrogate pairs': `"${'😀'.repeat(200)}"`,
}

function nested(levels: number): string {
  return '['.repeat(levels) + ']'.repeat(levels)
}

/** The object with one property set to raw JSON, added if it is missing. */
export function withRaw(object: Record<string, unknown>, property: string, raw: string): string {
  const { [property]: _replaced, ...rest } = object
  const others = JSON.stringify(rest).slice(1, -1)
  return `{${others}${others === '' ? '' : ','}${JSON.stringify(property)}:${raw}}`
}
