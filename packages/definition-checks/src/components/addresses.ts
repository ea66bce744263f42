import { componentTypeOf, type Finding, imageFindings, type Settings } from '@atrium/contract/components'

/** The part of JSON Schema that settings use. */
interface Node {
  'x-live'?: string
  properties?: Record<string, Node>
  items?: Node
  anyOf?: Node[]
}

/** Where other settings come from values, so that the type cannot look at all of them together. */
export function addressFindingsIn(component: Settings): Finding[] {
  const look = (value: unknown, schema: Node, path: string): Finding[] => {
    if (schema.anyOf) return schema.anyOf.flatMap((form) => look(value, form, path))
    if (typeof value === 'string') return schema['x-live'] === 'address' ? imageFindings(path, value) : []
    if (Array.isArray(value)) {
      const { items } = schema
      return items ? value.flatMap((item, at) => look(item, items, `${path}/${at}`)) : []
    }
    if (typeof value !== 'object' || value === null) return []
    const known = Object.entries(schema.properties ?? {})
    return known.flatMap(([name, child]) =>
      Object.hasOwn(value, name) ? look(Reflect.get(value, name), child, `${path}/${name}`) : [],
    )
  }
  return look(component, componentTypeOf(String(component.type)).settings, '')
}
