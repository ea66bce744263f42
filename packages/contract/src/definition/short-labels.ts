import { componentTypeOf, isKnownType } from '../components/catalogue.ts'
import type { ExperimentDefinition } from './definition.ts'

/** An option without a label: participants read its value, which is the same in every language and for everyone. */
interface ShortLabel {
  /** A JSON pointer into the definition. */
  path: string
  text: string
}

/** The part of JSON Schema that lists of options use. */
interface Node {
  properties?: Record<string, Node>
  items?: Node
  anyOf?: Node[]
}

export function shortLabelsOf({ states, globalComponents = [] }: ExperimentDefinition): ShortLabel[] {
  const lists = [
    ...states.map(({ components }, at) => ({ components, path: `/states/${at}/components` })),
    { components: globalComponents, path: '/globalComponents' },
  ]
  return lists.flatMap(({ components, path }) =>
    components.flatMap((component, at) =>
      isKnownType(component.type)
        ? labelsAt(component, componentTypeOf(component.type).settings, `${path}/${at}`)
        : [],
    ),
  )
}

function labelsAt(value: unknown, schema: Node, path: string): ShortLabel[] {
  const { items, properties = {} } = schema
  if (Array.isArray(value) && items)
    return value.flatMap((item, at) =>
      isOption(items) ? shortLabel(item, `${path}/${at}`) : labelsAt(item, items, `${path}/${at}`),
    )
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, child]) =>
    Object.hasOwn(properties, name) && properties[name]
      ? labelsAt(child, properties[name], `${path}/${name}`)
      : [],
  )
}

const isOption = ({ anyOf = [] }: Node): boolean =>
  anyOf.some(({ properties }) => properties?.value !== undefined && properties.label !== undefined)

function shortLabel(option: unknown, path: string): ShortLabel[] {
  const { value, label } = Object(option) as { value?: unknown; label?: unknown }
  const text = typeof option === 'string' ? option : value
  return typeof text === 'string' && label === undefined ? [{ path, text }] : []
}
