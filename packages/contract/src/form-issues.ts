import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import type { ValidationIssue } from './errors.ts'
import { sentencesOf } from './schema-issues.ts'
import { formsInWords } from './schema-words.ts'

type SchemaError = ReturnType<typeof Value.Errors>[number]

/** Explains why a value does not match a schema, one issue per problem. Empty if it matches. */
export function formIssues(schema: TSchema, value: unknown, at = ''): ValidationIssue[] {
  const issues = Value.Errors(schema, value).flatMap((error) => {
    const union = unionAround(error)
    return union ? unionIssues(union, schema, value, at) : sentencesOf(error, at, keyPatternAt(schema, error))
  })
  return [...new Map(issues.map((issue) => [issue.path + issue.message, issue])).values()]
}

/** Of an object with names that the author chooses, what they must be like. */
function keyPatternAt(schema: TSchema, { keyword, schemaPath }: SchemaError): string | undefined {
  if (keyword !== 'additionalProperties') return undefined
  const object = step(schema, schemaPath.replace(/^#/, ''))
  const patterns = isRecord(object) ? object.patternProperties : undefined
  return isRecord(patterns) ? Object.keys(patterns)[0] : undefined
}

interface Union {
  schemaPath: string
  instancePath: string
}

/**
 * The outermost union that an error comes from. TypeBox stops after a few errors and reports the union itself last, so
 * it is derived from the paths: each `properties/x` and `items` before `anyOf` is one step into the value.
 */
function unionAround({ schemaPath, instancePath, keyword }: SchemaError): Union | undefined {
  const [, outer] =
    /^#?(.*?)\/anyOf(?:\/|$)/.exec(keyword === 'anyOf' ? `${schemaPath}/anyOf` : schemaPath) ?? []
  if (outer === undefined) return undefined
  const steps =
    outer.match(/\/(?:properties|patternProperties)\/[^/]+|\/(?:items|additionalProperties)/g) ?? []
  const segments = instancePath.split('/').slice(0, steps.length + 1)
  return { schemaPath: outer, instancePath: segments.join('/') }
}

/**
 * For a union, TypeBox reports why each form fails. Only the errors of the intended form help: the one whose constants
 * (`"on": "timed"`) match. If there is no such form, the message names all of them.
 */
function unionIssues(union: Union, schema: TSchema, value: unknown, at: string): ValidationIssue[] {
  const path = at + union.instancePath
  const inner = step(value, union.instancePath)
  const forms = listOf(step(schema, union.schemaPath), 'anyOf')
  const meant = forms.filter((form) => isMeant(form, inner))
  const [only] = meant
  if (only && meant.length === 1) return formIssues(only, inner, path)
  const marks = forms.flatMap((form) => marksOf(form).map(([name, mark]) => `"${name}": "${mark}"`))
  return [
    {
      path,
      message: marks.length > 0 ? `needs one of ${marks.join(', ')}` : `must be ${formsInWords(forms)}`,
    },
  ]
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

function step(from: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((at, name) => (isRecord(at) ? at[name] : undefined), from)
}

const listOf = (value: unknown, name: string): TSchema[] => {
  const listed = isRecord(value) ? value[name] : undefined
  return Array.isArray(listed) ? listed.filter(isRecord) : []
}

/** The fields of a form that have a constant value. */
function marksOf(form: TSchema): [string, unknown][] {
  const properties = isRecord(form) && 'properties' in form ? form.properties : undefined
  if (!isRecord(properties)) return []
  return Object.entries(properties).flatMap(([name, field]): [string, unknown][] =>
    isRecord(field) && 'const' in field ? [[name, field.const]] : [],
  )
}

function isMeant(form: TSchema, value: unknown): boolean {
  // Text with invalid characters was meant as text. For a number out of bounds, the message names all forms.
  if (typeof value === 'string') return typeOf(form) === 'string' && !('const' in form)
  if (typeOf(form) !== 'object' || !isRecord(value) || Array.isArray(value)) return false
  return marksOf(form).every(([name, mark]) => value[name] === mark)
}

const typeOf = (form: TSchema): unknown => (isRecord(form) && 'type' in form ? form.type : undefined)
