import type { ValidationIssue } from './errors.ts'
import { nameRule, patternInWords } from './name-patterns.ts'
import { quoted, typeInWords } from './schema-words.ts'

/** An error as TypeBox reports it. */
export interface SchemaError {
  keyword: string
  instancePath: string
  message: string
  params: object
}

/**
 * Turns a TypeBox error into issues, so that the wording is the same wherever a value is checked. `keyPattern`: that of the names in
 * an object whose names are free.
 */
export function sentencesOf(
  { keyword, instancePath, message, params }: SchemaError,
  at: string,
  keyPattern?: string,
): ValidationIssue[] {
  const path = at + instancePath
  const rule = nameRule(keyPattern)
  const facts: Record<string, unknown> = { ...params }
  const names = (key: string): string[] => (Array.isArray(facts[key]) ? facts[key].map(String) : [])
  switch (keyword) {
    case 'required':
      return names('requiredProperties').map((name) => ({ path: `${path}/${name}`, message: 'is missing' }))
    case 'additionalProperties':
      return names('additionalProperties').map((name) => ({
        path: `${path}/${name}`,
        message: rule === undefined ? 'is not a known field' : `is not a valid name; a name ${rule}`,
      }))
    case 'boolean':
      // TypeBox reports each unknown field a second time as "schema is false".
      return []
    case 'pattern':
      return [{ path, message: patternInWords(facts.pattern) }]
    case 'maxItems':
      return [{ path, message: `must have at most ${facts.limit} items` }]
    case 'minItems':
      return [{ path, message: `must have at least ${facts.limit} ${facts.limit === 1 ? 'item' : 'items'}` }]
    case 'minProperties':
      return [
        { path, message: `must have at least ${facts.limit} ${facts.limit === 1 ? 'entry' : 'entries'}` },
      ]
    case 'minimum':
      return [{ path, message: `must be at least ${facts.limit}` }]
    case 'maximum':
      return [{ path, message: `must be at most ${facts.limit}` }]
    case 'type':
      return [{ path, message: `must be ${typeInWords[String(facts.type)] ?? facts.type}` }]
    case 'const':
      return [{ path, message: `must be ${quoted(facts.allowedValue)}` }]
    case 'enum':
      return [{ path, message: `must be one of ${names('allowedValues').map(quoted).join(', ')}` }]
    default:
      return [{ path, message }]
  }
}
