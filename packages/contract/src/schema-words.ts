import type { SchemaNode } from './reference/document.ts'

/** JSON Schema types in plain words. */
export const typeInWords: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
}

/** A form in plain words: `a whole number from 1 to 1,000`, `‘never_again’`, `{min, max}`. */
function formInWords(node: SchemaNode): string {
  const { anyOf, const: only, enum: values, properties, type } = node
  if (anyOf) return formsInWords(anyOf)
  if (only !== undefined) return quoted(only)
  if (values) return `one of ${values.map(quoted).join(', ')}`
  if (properties) return fieldsInWords(properties, node.required ?? [])
  const noun = (typeof type === 'string' ? typeInWords[type] : undefined) ?? 'another value'
  return noun + boundsInWords(node)
}

export function formsInWords(forms: readonly SchemaNode[]): string {
  const words = [...new Set(forms.map(formInWords))]
  const last = words.pop() ?? ''
  // Fields contain commas themselves.
  const or = last.startsWith('{') ? ', or ' : ' or '
  return words.length === 0 ? last : `${words.join(', ')}${or}${last}`
}

export const quoted = (value: unknown): string => `‘${value}’`

/** Lists the required fields; `…` stands for optional ones. */
function fieldsInWords(properties: Record<string, unknown>, required: readonly string[]): string {
  const names = Object.keys(properties)
  const needed = names.filter((name) => required.includes(name))
  return `{${[...needed, ...(needed.length < names.length ? ['…'] : [])].join(', ')}}`
}

function boundsInWords({ minimum, maximum }: SchemaNode): string {
  if (minimum !== undefined && maximum !== undefined)
    return ` from ${numberInWords(minimum)} to ${numberInWords(maximum)}`
  if (minimum !== undefined) return ` of at least ${numberInWords(minimum)}`
  return maximum === undefined ? '' : ` of at most ${numberInWords(maximum)}`
}

const numberInWords = (value: number): string => value.toLocaleString('en')
