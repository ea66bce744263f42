import type { TSchema } from 'typebox'

/** JSON Schema as plain JSON. */
export type JsonSchema = Record<string, unknown>

/** The part of JSON Schema that response schemas use. */
interface Node extends JsonSchema {
  type?: string
  const?: unknown
  enum?: unknown[]
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  multipleOf?: number
  items?: Node
  additionalProperties?: Node | boolean
  anyOf?: Node[]
  properties?: Record<string, Node>
}

/**
 * Longest text that a model is offered. llama.cpp refuses schemas with longer ones, and 2,000 characters are already more
 * than anybody writes. Longer text that the room accepts is accepted all the same.
 */
export const longestOfferedText = 2_000

const maxListedSteps = 200

/** Keywords that the grammars of model servers understand, or at least ignore. Ours and those for forms are left out. */
const kept: ReadonlySet<string> = new Set([
  ...['type', 'const', 'enum', 'title', 'description', 'format', 'pattern', 'minLength', 'maxLength'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minItems', 'maxItems', 'uniqueItems', 'required', 'additionalProperties'],
])

/** A response schema for the parameters of a tool: plain JSON Schema without patterns, with a bound on every text. */
export const plainParameters = (schema: TSchema): JsonSchema =>
  // TypeBox's own marks are not enumerable: what is left is plain JSON Schema.
  plain(JSON.parse(JSON.stringify(schema)) as Node)

function plain(node: Node): JsonSchema {
  const { pattern, ...rest } = Object.fromEntries(Object.entries(node).filter(([name]) => kept.has(name)))
  return {
    ...typeOfValues(node),
    ...rest,
    ...(node.type === 'number' && stepsOf(node)),
    ...(node.type === 'string' && textBounds(node)),
    ...(node.items && { items: plain(node.items) }),
    ...(typeof node.additionalProperties === 'object' && {
      additionalProperties: plain(node.additionalProperties),
    }),
    ...(node.anyOf && { anyOf: node.anyOf.map(plain) }),
    ...(node.properties && {
      properties: Object.fromEntries(
        Object.entries(node.properties).map(([name, child]) => [name, plain(child)]),
      ),
    }),
  }
}

/**
 * The catalogue limits texts by a pattern that ends in their length, `^[^\p{Cc}\p{Cs}]{1,1000}$`. Grammars do not know
 * such patterns. What the pattern forbids besides is replaced when a reply is read.
 */
function textBounds({ const: only, enum: values, pattern, minLength, maxLength }: Node): JsonSchema {
  if (only !== undefined || values) return {}
  const [, min, max] = /\{(\d+),(\d+)\}\$$/.exec(pattern ?? '') ?? []
  if (pattern !== undefined && max === undefined) return { pattern }
  const shortest = minLength ?? Number(min ?? 0)
  const longest = maxLength ?? Number(max ?? longestOfferedText)
  return { minLength: shortest, maxLength: Math.max(shortest, Math.min(longest, longestOfferedText)) }
}

/** Grammars keep the bounds of integers and lists of values, but neither steps nor the bounds of other numbers. */
function stepsOf({ minimum, maximum, multipleOf }: Node): JsonSchema {
  if (multipleOf === 1) return { type: 'integer', multipleOf: undefined }
  if (minimum === undefined || maximum === undefined || multipleOf === undefined) return {}
  const first = Math.ceil(minimum / multipleOf - 1e-9)
  const count = Math.floor(maximum / multipleOf + 1e-9) - first + 1
  if (!(count >= 1 && count <= maxListedSteps)) return {}
  // 3 * 0.1 is not quite 0.3.
  const values = Array.from({ length: count }, (_, step) =>
    Number(((first + step) * multipleOf).toPrecision(12)),
  )
  return { enum: [...new Set(values.map((value) => Math.min(maximum, Math.max(minimum, value))))] }
}

/** Some grammars need the type beside the values. */
function typeOfValues({ enum: values }: Node): JsonSchema {
  if (values?.every((value) => typeof value === 'string')) return { type: 'string' }
  if (values?.every(Number.isInteger)) return { type: 'integer' }
  return values?.every((value) => typeof value === 'number') ? { type: 'number' } : {}
}
