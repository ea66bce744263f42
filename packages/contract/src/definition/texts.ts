import type { Annotations, TextFormat } from '../components/annotations.ts'
import { componentTypeOf, isKnownType } from '../components/catalogue.ts'
import type { Settings } from '../components/component-type.ts'
import type { ExperimentDefinition } from './definition.ts'
import { isTextByLanguage } from './participant-text.ts'

/** Where a text stands and how it is shown. */
export interface TextPlace {
  /** A JSON pointer into the definition, or into the component. */
  path: string
  format: TextFormat
  /** Shown in a room, so that it can contain variables. */
  isInRoom: boolean
  /** False in a component of an unknown type, where variables are not filled in. */
  isDeclared: boolean
}

/** Returns what stands there instead. */
type Change = (text: unknown, place: TextPlace) => unknown

/**
 * The definition with each text that participants read replaced. The given one stays as it is, and components in which
 * nothing is replaced are the same objects: of a definition in twenty languages, most need to be looked at once.
 */
export function changeTexts(definition: ExperimentDefinition, change: Change): ExperimentDefinition {
  const outside = (text: unknown, path: string, format: TextFormat = 'plain') =>
    change(text, { path, format, isInRoom: false, isDeclared: true }) as string
  const { name, roles, consent, states, globalComponents } = definition
  return {
    ...definition,
    name: outside(name, '/name'),
    ...(roles && {
      roles: roles.map((role, at) =>
        typeof role === 'string' || role.name === undefined
          ? role
          : { ...role, name: outside(role.name, `/roles/${at}/name`) },
      ),
    }),
    ...(consent?.text !== undefined && {
      consent: { ...consent, text: outside(consent.text, '/consent/text', 'markdown') },
    }),
    states: states.map((state, at) => changedState(state, `/states/${at}`, change)),
    ...(globalComponents && {
      globalComponents: globalComponents.map((one, at) =>
        changeComponentTexts(one, change, `/globalComponents/${at}`),
      ),
    }),
  }
}

type State = ExperimentDefinition['states'][number]

function changedState(state: State, path: string, change: Change): State {
  const text = (value: unknown, step: string, format: TextFormat = 'plain') =>
    change(value, { path: `${path}/${step}`, format, isInRoom: true, isDeclared: true }) as string
  const { name, instructions, end, components } = state
  return {
    ...state,
    ...(name !== undefined && { name: text(name, 'name') }),
    ...(instructions !== undefined && { instructions: text(instructions, 'instructions', 'markdown') }),
    ...(end?.on === 'button' &&
      end.label !== undefined && { end: { ...end, label: text(end.label, 'end/label') } }),
    components: components.map((one, at) => changeComponentTexts(one, change, `${path}/components/${at}`)),
  }
}

/**
 * The component with each of its texts replaced: what its type declares as text. Of an unknown type, only texts that are
 * given per language are recognised.
 */
export function changeComponentTexts<Component extends object>(
  component: Component,
  change: Change,
  path = '',
): Component {
  const { type, format } = component as Settings
  const name = typeof type === 'string' ? type : ''
  const changeHere: Change =
    // Where the author chooses the format.
    format === 'plain' ? (text, at) => change(text, { ...at, format: 'plain' }) : change
  const schema: Node = isKnownType(name) ? componentTypeOf(name).settings : anything
  return changedAt(component, schema, path, changeHere) as Component
}

/** The part of JSON Schema that settings use. */
interface Node extends Partial<Pick<Annotations, 'x-text'>> {
  properties?: Record<string, Node>
  items?: Node
  anyOf?: Node[]
}

const anything: Node = {}

function changedAt(value: unknown, schema: Node, path: string, change: Change): unknown {
  const format = schema['x-text']
  if (format !== undefined && (typeof value === 'string' || isTextByLanguage(value)))
    return change(value, { path, format, isInRoom: true, isDeclared: true })
  if (schema.anyOf)
    return schema.anyOf.reduce((changed, form) => changedAt(changed, form, path, change), value)
  if (schema === anything && isTextByLanguage(value))
    return change(value, { path, format: 'plain', isInRoom: true, isDeclared: false })
  if (Array.isArray(value)) {
    const items = schema === anything ? anything : schema.items
    return items ? changedItems(value, items, path, change) : value
  }
  return isObject(value) ? changedFields(value, schema, path, change) : value
}

function changedItems(list: unknown[], schema: Node, path: string, change: Change): unknown[] {
  const changed = list.map((item, at) => changedAt(item, schema, `${path}/${at}`, change))
  return changed.some((item, at) => item !== list[at]) ? changed : list
}

function changedFields(
  value: Record<string, unknown>,
  schema: Node,
  path: string,
  change: Change,
): Record<string, unknown> {
  const { properties } = schema
  const schemaOf = (name: string): Node | undefined => {
    if (schema === anything) return anything
    return properties && Object.hasOwn(properties, name) ? properties[name] : undefined
  }
  const changed = Object.entries(value).flatMap(([name, child]): [string, unknown][] => {
    const known = schemaOf(name)
    const now = known ? changedAt(child, known, `${path}/${escaped(name)}`, change) : child
    return now === child ? [] : [[name, now]]
  })
  // Not by spreading: a setting called `__proto__` stays a setting.
  return changed.length === 0
    ? value
    : Object.fromEntries([...new Map([...Object.entries(value), ...changed])])
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** RFC 6901. */
const escaped = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1')
