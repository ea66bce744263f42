import type { SchemaNode } from '@atrium/contract/reference'
import type { SyntaxNode } from './syntax.ts'

/** What is known of the value of an expression: the forms that it can take; undefined if it can be anything. */
type Forms = readonly SchemaNode[] | undefined

/** The schemas of the responses to the components with this id; undefined where they can be anything. */
export type ResponseForms = (componentId: string) => Forms

/**
 * R61: fields that no response of the component has, such as `response.mood.responseTime`. They would always be null. What is
 * in variables is not known: they can be assigned anything.
 */
export function fieldIssues(node: SyntaxNode, responseForms: ResponseForms): string[] {
  // Of the list of everyone's responses, the types tell.
  if (node.kind !== 'member' || node.object.kind === 'responses') return []
  if (node.key.kind !== 'literal' || typeof node.key.value !== 'string') return []
  const name = node.key.value
  const forms = formsOf(node.object, responseForms)
  if (!forms || forms.length === 0) return []
  const objects = forms.filter(isObject)
  if (objects.some(isOpen)) return []
  const fields = [...new Set(objects.flatMap(({ properties = {} }) => Object.keys(properties)))]
  if (fields.includes(name)) return []
  const has =
    fields.length > 0
      ? `it has ${fields.slice(0, maxNamed).map(quoted).join(', ')}`
      : `it is ${kindOf(forms)}, without fields`
  return [`‘${written(node.object)}’ has no ‘${name}’; ${has}${timesAreInData(name)}`]
}

/** Nobody reads more. */
const maxNamed = 10

const timesAreInData = (name: string): string =>
  /time|rt$|latency|duration|ms$/i.test(name) ? '. How long a response took is in the data only' : ''

/** The forms of what an expression reads from a response. */
function formsOf(node: SyntaxNode, responseForms: ResponseForms): Forms {
  switch (node.kind) {
    case 'response':
      return responseForms(node.componentId)?.flatMap(unfolded)
    case 'responses': {
      const items = responseForms(node.componentId)
      return items && [{ type: 'array', items: { anyOf: [...items] } }]
    }
    case 'member': {
      const within = formsOf(node.object, responseForms)
      if (!within || node.key.kind !== 'literal') return undefined
      const { value: key } = node.key
      const found = within.flatMap((form) => partOf(form, key) ?? [])
      return found.length === within.length ? found.flatMap(unfolded) : undefined
    }
    default:
      return undefined
  }
}

function partOf(form: SchemaNode, key: unknown): SchemaNode | undefined {
  if (typeof key === 'number') return form.items
  return form.properties && Object.hasOwn(form.properties, String(key))
    ? form.properties[String(key)]
    : undefined
}

const unfolded = (schema: SchemaNode): SchemaNode[] => schema.anyOf?.flatMap(unfolded) ?? [schema]

const isObject = ({ type, enum: values, const: value }: SchemaNode): boolean =>
  type === 'object' || (type === undefined && !values && value === undefined)

const isOpen = ({ type, additionalProperties }: SchemaNode): boolean =>
  type === undefined || additionalProperties !== false

const words: Record<string, string> = {
  array: 'a list',
  boolean: 'true or false',
  integer: 'a number',
  null: 'null',
  number: 'a number',
  string: 'text',
}

const kindOf = (forms: readonly SchemaNode[]): string =>
  [
    ...new Set(
      forms.map(({ type, enum: values }) =>
        values ? 'one of its values' : (words[String(type)] ?? 'a value'),
      ),
    ),
  ].join(' or ')

const written = (node: SyntaxNode): string => {
  switch (node.kind) {
    case 'response':
    case 'responses':
      return `${node.kind}.${node.componentId}`
    case 'member':
      return node.key.kind === 'literal'
        ? `${written(node.object)}.${String(node.key.value)}`
        : written(node.object)
    default:
      return 'it'
  }
}

const quoted = (name: string) => `‘${name}’`
