import { isRecord, listOr } from '../http/json-facts.ts'

/**
 * node-llama-cpp makes grammars of a part of JSON Schema: every property is required, and minimum, maximum, patterns and
 * `anyOf` are ignored; what it does not know becomes `null`. This translates a schema into that part, as closely as it
 * goes. The answer is checked against the original afterwards.
 */
export type GrammarSchema = { [key: string]: unknown }

/** llama.cpp refuses longer repetitions. Without a bound, a small model may repeat itself in a string to the end. */
const longestText = 2_000
const itemLimit = 200
/** Integers of a small range become a list of values, because that is the only bound the grammar keeps. */
const widestRange = 256
const deepest = 12
const maxNodes = 5_000

const anyScalar: GrammarSchema[] = [
  { type: 'string', maxLength: longestText },
  { type: 'number' },
  { type: 'boolean' },
  { type: 'null' },
]
const anything: GrammarSchema = {
  oneOf: [...anyScalar, { type: 'array', items: { oneOf: anyScalar }, maxItems: itemLimit }],
}

/** The grammar of a tool's arguments, which are always an object. */
export function grammarSchemaOf(parameters: Record<string, unknown> | undefined): GrammarSchema {
  const translator = { root: parameters ?? {}, nodesLeft: maxNodes }
  const translated = translate(translator, parameters ?? {}, 0)
  const kinds = listOr(translated.oneOf ?? [translated])
  const isObject = kinds.every((kind) => isRecord(kind) && kind.type === 'object')
  return isObject ? translated : { type: 'object', additionalProperties: anything, maxProperties: itemLimit }
}

interface Translator {
  root: Record<string, unknown>
  nodesLeft: number
}

function translate(translator: Translator, schema: unknown, depth: number): GrammarSchema {
  translator.nodesLeft -= 1
  if (!isRecord(schema) || depth > deepest || translator.nodesLeft < 0) return anything
  const inner = (each: unknown) => translate(translator, each, depth + 1)
  if (typeof schema.$ref === 'string') return inner(resolve(translator.root, schema.$ref))
  if ('const' in schema) return isScalar(schema.const) ? described(schema, { const: schema.const }) : anything
  if (Array.isArray(schema.enum)) {
    const values = schema.enum.filter(isScalar)
    return values.length > 0 ? described(schema, { enum: values }) : anything
  }
  const choices = schema.anyOf ?? schema.oneOf
  if (Array.isArray(choices) && choices.length > 0) return described(schema, { oneOf: choices.map(inner) })
  if (Array.isArray(schema.allOf) && schema.allOf.length > 0) return inner(merged(translator.root, schema))
  if (Array.isArray(schema.type))
    return described(schema, { oneOf: schema.type.map((type) => inner({ ...schema, type })) })
  return described(schema, ofType(typeOf(schema), schema, inner))
}

const typeOf = ({ type, properties, items }: Record<string, unknown>): unknown =>
  type ?? (properties !== undefined ? 'object' : items !== undefined ? 'array' : undefined)

function ofType(
  type: unknown,
  schema: Record<string, unknown>,
  inner: (each: unknown) => GrammarSchema,
): GrammarSchema {
  switch (type) {
    case 'object':
      return objectOf(schema, inner)
    case 'array':
      return {
        type,
        items: schema.items === undefined ? anything : inner(schema.items),
        ...(Array.isArray(schema.prefixItems) ? { prefixItems: schema.prefixItems.map(inner) } : {}),
        minItems: wholeNumber(schema.minItems) ?? 0,
        maxItems: Math.min(wholeNumber(schema.maxItems) ?? itemLimit, itemLimit),
      }
    case 'string':
      return textOf(schema)
    case 'integer':
      return integerOf(schema)
    case 'number':
    case 'boolean':
    case 'null':
      return { type }
    default:
      return anything
  }
}

function objectOf(schema: Record<string, unknown>, inner: (each: unknown) => GrammarSchema): GrammarSchema {
  const properties = isRecord(schema.properties) ? Object.entries(schema.properties) : []
  if (properties.length > 0)
    return {
      type: 'object',
      properties: Object.fromEntries(properties.map(([name, each]) => [name, inner(each)])),
    }
  const { additionalProperties: more = true } = schema
  if (more === false) return { type: 'object', properties: {} }
  return {
    type: 'object',
    additionalProperties: isRecord(more) ? inner(more) : anything,
    maxProperties: itemLimit,
  }
}

function textOf({ format, minLength, maxLength }: Record<string, unknown>): GrammarSchema {
  if (format === 'date' || format === 'time' || format === 'date-time') return { type: 'string', format }
  const max = Math.min(wholeNumber(maxLength) ?? longestText, longestText)
  return { type: 'string', minLength: Math.min(wholeNumber(minLength) ?? 0, max), maxLength: max }
}

function integerOf(schema: Record<string, unknown>): GrammarSchema {
  const min = boundOf(schema.minimum, schema.exclusiveMinimum, 1)
  const max = boundOf(schema.maximum, schema.exclusiveMaximum, -1)
  if (min === undefined || max === undefined || max < min || max - min > widestRange)
    return { type: 'integer' }
  return { enum: Array.from({ length: max - min + 1 }, (_, index) => min + index) }
}

function boundOf(inclusive: unknown, exclusive: unknown, step: 1 | -1): number | undefined {
  const round = step === 1 ? Math.ceil : Math.floor
  if (typeof inclusive === 'number') return round(inclusive)
  if (typeof exclusive !== 'number') return undefined
  return Number.isInteger(exclusive) ? exclusive + step : round(exclusive)
}

/** The model reads descriptions but no bounds, so the bounds are said there. */
function described(schema: Record<string, unknown>, translated: GrammarSchema): GrammarSchema {
  const { description, minimum, maximum, pattern } = schema
  const notes = [
    typeof description === 'string' ? description : '',
    typeof minimum === 'number' ? `at least ${minimum}` : '',
    typeof maximum === 'number' ? `at most ${maximum}` : '',
    typeof pattern === 'string' ? `matches ${pattern}` : '',
  ].filter((note) => note !== '')
  return notes.length === 0 ? translated : { ...translated, description: notes.join('; ') }
}

function merged(root: Record<string, unknown>, { allOf, ...own }: Record<string, unknown>): unknown {
  const parts = listOr(allOf).map((part) =>
    isRecord(part) && typeof part.$ref === 'string' ? resolve(root, part.$ref) : part,
  )
  const schemas = [own, ...parts].filter(isRecord)
  const properties = schemas.flatMap((each) => (isRecord(each.properties) ? [each.properties] : []))
  return { ...Object.assign({}, ...schemas), properties: Object.assign({}, ...properties) }
}

/** `#/$defs/name` and other pointers into the same schema. */
function resolve(root: Record<string, unknown>, reference: string): unknown {
  if (!reference.startsWith('#')) return undefined
  const names = reference.slice(1).split('/').slice(1)
  return names.reduce<unknown>(
    (value, name) => (isRecord(value) ? value[name.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined),
    root,
  )
}

const isScalar = (value: unknown): boolean =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value)

const wholeNumber = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined
