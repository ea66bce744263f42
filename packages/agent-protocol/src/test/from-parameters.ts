import fc from 'fast-check'

interface Node {
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Node[]
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  multipleOf?: number
  items?: Node
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  properties?: Record<string, Node>
  required?: string[]
  minProperties?: number
}

/** Anything that the parameters of a tool allow, as a model server that follows them may send it. */
export function fromParameters(node: Node): fc.Arbitrary<unknown> {
  if ('const' in node) return fc.constant(node.const)
  if (node.enum) return fc.constantFrom(...node.enum)
  if (node.anyOf) return fc.oneof(...node.anyOf.map(fromParameters))
  switch (node.type) {
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return integers(node)
    case 'number':
      return numbers(node)
    case 'string':
      return texts(node)
    case 'array':
      return lists(node)
    case 'object':
      return objects(node)
    default:
      throw new Error(`the parameters contain ${JSON.stringify(node)}`)
  }
}

const integers = ({ minimum = -1e9, maximum = 1e9 }: Node) =>
  fc.integer({ min: Math.ceil(minimum), max: Math.floor(maximum) })

function numbers({ minimum, maximum, multipleOf }: Node): fc.Arbitrary<number> {
  const min = minimum ?? -1e300
  const max = maximum ?? 1e300
  if (multipleOf === undefined) return fc.double({ min, max, noNaN: true })
  return fc
    .integer({ min: Math.ceil(min / multipleOf - 1e-9), max: Math.floor(max / multipleOf + 1e-9) })
    .map((steps) => Math.min(max, Math.max(min, steps * multipleOf)))
}

/** Characters that JSON has and stores or grammars have trouble with; each is one character. */
const awkward = fc.constantFrom(
  '\u0000',
  '\n',
  '\r',
  '\t',
  '\u0085',
  '\ud800',
  '😀',
  'é',
  '"',
  '\\',
  '<',
  ' ',
)

const dates = (pattern = '^(?:19|20)[0-9][0-9]-0[1-9]-[0-3][0-9]$'): fc.Arbitrary<string> =>
  fc
    .stringMatching(new RegExp(pattern))
    .filter((text) => !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text))

function texts({ format, pattern, minLength = 0, maxLength = 100 }: Node): fc.Arbitrary<string> {
  if (format === 'email') return fc.nat().map((name) => `agent${name}@example.org`)
  if (format === 'date') return dates(pattern)
  const unit = fc.oneof(awkward, fc.constantFrom(...'abc XYZ'))
  return fc.oneof(
    { weight: 8, arbitrary: fc.string({ unit, minLength, maxLength }) },
    fc.constantFrom('x', '😀', '\n').map((one) => one.repeat(maxLength)),
  )
}

function lists({ items = {}, minItems = 0, maxItems = 10, uniqueItems }: Node): fc.Arbitrary<unknown[]> {
  const bounds = { minLength: minItems, maxLength: maxItems }
  if (!uniqueItems) return fc.array(fromParameters(items), bounds)
  if (items.enum) return fc.shuffledSubarray(items.enum, bounds)
  // Two texts that differ only in what is replaced would be the same answer twice.
  const selector = (value: unknown) => JSON.stringify(value).replaceAll(/\\u....|\\.|[\s\u0085]/g, ' ')
  return fc.uniqueArray(fromParameters(items), { ...bounds, selector })
}

function objects({ properties = {}, required = [], minProperties = 0 }: Node): fc.Arbitrary<object> {
  const fields = Object.entries(properties).map(([name, field]) => {
    const present = fromParameters(field).map((value): [string, unknown][] => [[name, value]])
    return required.includes(name) ? present : fc.option(present, { nil: [] })
  })
  return fc
    .tuple(...fields)
    .map((given) => Object.fromEntries(given.flat()))
    .filter((object) => Object.keys(object).length >= minProperties)
}
