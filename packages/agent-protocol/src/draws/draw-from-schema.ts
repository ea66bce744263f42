import { happens, pickOne, pickSome, type Random, wholeBetween } from '@atrium/contract'
import { drawDate, patternOfDates } from '@atrium/contract/components'

/** The part of JSON Schema that response schemas and the parameters of `respond` use. */
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

/** The range of a number without bounds. */
const usualSpan = 100
const usualDates = patternOfDates('1950-01-01', '2009-12-31')
const maxDrawnItems = 8
const optionalChance = 0.5

/** Draws a value that the schema accepts, so that new component types are answered without a change here. */
export const drawFromSchema = (schema: object, random: Random): unknown =>
  // TypeBox's own marks are not enumerable: what is left is plain JSON Schema.
  draw(JSON.parse(JSON.stringify(schema)) as Node, random)

function draw(node: Node, random: Random): unknown {
  if (node.const !== undefined) return node.const
  if (node.enum) return pickOne(node.enum, random)
  if (node.anyOf) return draw(pickOne(node.anyOf, random), random)
  switch (node.type) {
    case 'boolean':
      return happens(0.5, random)
    case 'integer':
      return drawNumber({ multipleOf: 1, ...node }, random)
    case 'number':
      return drawNumber(node, random)
    case 'string':
      return drawString(node, random)
    case 'array':
      return drawArray(node, random)
    case 'object':
      return drawObject(node, random)
    default:
      return { drawn: wholeBetween(0, usualSpan, random) }
  }
}

function drawNumber({ minimum, maximum, multipleOf }: Node, random: Random): number {
  const low = minimum ?? Math.min(0, (maximum ?? 0) - usualSpan)
  const high = maximum ?? low + usualSpan
  // Two decimal places, as a page would send, and never beyond the bounds.
  if (multipleOf === undefined)
    return Math.min(high, Math.max(low, Math.round((low + random() * (high - low)) * 100) / 100))
  const steps = wholeBetween(Math.ceil(low / multipleOf - 1e-9), Math.floor(high / multipleOf + 1e-9), random)
  return Math.min(high, Math.max(low, steps * multipleOf))
}

function drawString(node: Node, random: Random): string {
  const { format, pattern = '', minLength = 1, maxLength = 1_000 } = node
  if (format === 'email') return `bot${wholeBetween(1, 9_999, random)}@example.org`
  if (format === 'date') return drawDate(pattern || usualDates, random)
  // The catalogue limits lengths by a pattern, because only a pattern counts characters as people do.
  const [, min = minLength, max = maxLength] = /\{(\d+),(\d+)\}\$$/.exec(pattern) ?? []
  return drawText(Number(min), Number(max), random)
}

function drawArray({ items = {}, minItems = 0, maxItems, uniqueItems }: Node, random: Random): unknown[] {
  const max = Math.max(minItems, Math.min(maxItems ?? maxDrawnItems, maxDrawnItems))
  const count = wholeBetween(minItems, max, random)
  if (!uniqueItems) return Array.from({ length: count }, () => draw(items, random))
  const choices = choicesOf(items, random)
  return pickSome(choices, Math.max(minItems, Math.min(count, choices.length)), random)
}

/** Everything that a list without duplicates can hold, once each. */
function choicesOf(node: Node, random: Random): unknown[] {
  if (node.enum) return node.enum
  return node.anyOf ? node.anyOf.flatMap((part) => choicesOf(part, random)) : [draw(node, random)]
}

function drawObject(node: Node, random: Random): Record<string, unknown> {
  const { properties = {}, required = [], minProperties = 0 } = node
  const all = Object.entries(properties)
  const drawn = all.filter(([name]) => required.includes(name) || happens(optionalChance, random))
  const fields = drawn.length < minProperties ? all.slice(0, minProperties) : drawn
  return Object.fromEntries(fields.map(([name, field]) => [name, draw(field, random)]))
}

const words =
  'I think we should share it so that everyone gets something fair but maybe not all of it this time'.split(
    ' ',
  )

/** Something to read, of a length within the bounds, without line breaks. */
export function drawText(min: number, max: number, random: Random): string {
  const wanted = Math.min(max, Math.max(min, 5 + Math.floor(random() * 40)))
  let text = pickOne(words, random)
  while (text.length < wanted) text = `${text} ${pickOne(words, random)}`
  const cut = text.slice(0, wanted).trimEnd()
  // What the server trims must not fall below the least length.
  return cut.padEnd(Math.min(min, max), '.')
}
