/**
 * JSON that nobody sends by accident, as text: some of it (1e999, numbers beyond what a double holds) cannot be written
 * as a JavaScript value.
 */
export const oddJson: Readonly<Record<string, string>> = {
  'a number no column holds': '1e19',
  'the largest double': '1.7976931348623157e308',
  'a number JSON has and doubles do not': '1e999',
  'the same, negative': '-1e999',
  'one more than the largest safe integer': '9007199254740993',
  'one more than the largest 64-bit integer': '9223372036854775808',
  'a time after the last date': '8640000000000001',
  'a negative number': '-1',
  'a negative zero': '-0',
  'half of a number': '0.5',
  null: 'null',
  true: 'true',
  NUL: '"\\u0000"',
  'half of a surrogate pair': '"\\ud800"',
  'no text': '""',
  'a long text': `"${'x'.repeat(5_000)}"`,
  'a very long text': `"${'y'.repeat(100_000)}"`,
  'the name of a prototype': '"__proto__"',
  'a piece of SQL': `"'; drop table events; --"`,
  'text that turns around': '"\\u202egnihtyna"',
  'an empty list': '[]',
  'an empty object': '{}',
  'a prototype': '{"__proto__":{"polluted":true}}',
  'a constructor': '{"constructor":{"prototype":{"polluted":true}}}',
  'NUL as a name': '{"\\u0000":1}',
  'a list as deep as allowed': nested(60),
  'a list one level too deep': nested(65),
  'an abyss': nested(20_000),
}

function nested(levels: number): string {
  return '['.repeat(levels) + ']'.repeat(levels)
}

/** The object with one property given as raw JSON: replaced, or added when it has none of that name. */
export function withRaw(object: Record<string, unknown>, property: string, raw: string): string {
  const { [property]: _replaced, ...rest } = object
  const others = JSON.stringify(rest).slice(1, -1)
  return `{${others}${others === '' ? '' : ','}${JSON.stringify(property)}:${raw}}`
}
