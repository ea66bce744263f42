import { patternInWords, quoted, typeInWords } from '@atrium/contract'
import { error, type Finding, type Settings } from '@atrium/contract/components'
import type { SchemaNode } from '@atrium/contract/reference'
import type { TObject, TSchema } from 'typebox'
import { Value } from 'typebox/value'

type SchemaError = ReturnType<typeof Value.Errors>[number]

/** Explains why settings do not match the schema of their type, with one issue per path. */
export function settingIssues(schema: TObject, settings: Settings): Finding[] {
  const found = Value.Errors(schema, settings)
  const telling = found.filter((each) => isTelling(each, found))
  // TypeBox stops after a few errors, so the most helpful one may be missing.
  const issues = (telling.length > 0 ? telling : found).flatMap((each) => sentences(each, schema))
  return [...new Map(issues.map((issue) => [issue.path, issue])).values()]
}

/** These errors only mean that another form was intended; any other error means that this form was. */
const isOtherForm = ({ keyword }: SchemaError) => ['type', 'enum', 'const', 'anyOf'].includes(keyword)

/**
 * For a union, TypeBox reports why each form fails, and then that none matches. If it is clear which form was
 * intended, the errors inside it help most; otherwise only the last one is useful.
 */
function isTelling(one: SchemaError, all: SchemaError[]): boolean {
  const isSamePlace = (other: SchemaError) => other.instancePath === one.instancePath
  if (one.keyword === 'anyOf')
    return !all.some(
      (other) =>
        other.instancePath.startsWith(`${one.instancePath}/`) || (isSamePlace(other) && !isOtherForm(other)),
    )
  const isInUnion = all.some((other) => other.keyword === 'anyOf' && isSamePlace(other))
  return !isInUnion || !isOtherForm(one)
}

function sentences(
  { keyword, schemaPath, instancePath: path, params }: SchemaError,
  root: TSchema,
): Finding[] {
  const facts: Record<string, unknown> = { ...params }
  switch (keyword) {
    case 'required': {
      const missing = Array.isArray(facts.requiredProperties) ? facts.requiredProperties : []
      return missing.map((name) => error(`${path}/${name}`, 'is missing'))
    }
    case 'pattern':
      return [error(path, patternInWords(facts.pattern))]
    case 'format':
      return [error(path, facts.format === 'date' ? 'must be a date such as 2026-05-17' : 'is malformed')]
    case 'minItems':
      return [error(path, `must have at least ${facts.limit} ${facts.limit === 1 ? 'item' : 'items'}`)]
    case 'maxItems':
      return [error(path, `must have at most ${facts.limit} items`)]
    case 'minimum':
      return [error(path, `must be at least ${facts.limit}`)]
    case 'maximum':
      return [error(path, `must be at most ${facts.limit}`)]
    case 'exclusiveMinimum':
      return [error(path, `must be greater than ${facts.limit}`)]
    default:
      return [error(path, `must be ${inWords(schemaAt(root, schemaPath))}`)]
  }
}

/** The schema that an error refers to, e.g. `#/properties/options/items`. */
function schemaAt(root: TSchema, schemaPath: string): SchemaNode {
  const steps = schemaPath.split('/').slice(1)
  return steps.reduce<SchemaNode>((node, step) => ({ ...Reflect.get(node, step) }), { ...root })
}

function inWords({ anyOf, enum: values, type }: SchemaNode): string {
  if (anyOf) return [...new Set(anyOf.map(inWords))].join(' or ')
  if (values) return `one of ${values.map(quoted).join(', ')}`
  return (typeof type === 'string' ? typeInWords[type] : undefined) ?? 'another value'
}
