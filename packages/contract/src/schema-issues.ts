import type { ValidationIssue } from './errors.ts'

/** What TypeBox reports of a value that does not fit. */
export interface SchemaError {
  keyword: string
  instancePath: string
  message: string
  params: object
}

/** The report as sentences with places, worded alike wherever a value is checked. */
export function sentencesOf(
  { keyword, instancePath, message, params }: SchemaError,
  at: string,
): ValidationIssue[] {
  const path = at + instancePath
  const facts: Record<string, unknown> = { ...params }
  const names = (key: string): string[] => (Array.isArray(facts[key]) ? facts[key].map(String) : [])
  switch (keyword) {
    case 'required':
      return names('requiredProperties').map((name) => ({ path: `${path}/${name}`, message: 'is missing' }))
    case 'additionalProperties':
      return names('additionalProperties').map((name) => ({
        path: `${path}/${name}`,
        message: 'is not a known field',
      }))
    case 'boolean':
      // TypeBox reports each unknown field a second time as "schema is false".
      return []
    case 'pattern':
      return [{ path, message: 'has characters that are not allowed here, or is empty or too long' }]
    case 'maxItems':
      return [{ path, message: `must have at most ${facts.limit} items` }]
    default:
      return [{ path, message }]
  }
}
