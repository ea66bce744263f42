import { isTextByLanguage } from '@atrium/contract'
import type { Suggest } from '@atrium/contract/components'
import { type ComponentType, error, type Finding, type Settings } from '@atrium/contract/components'

/** Fields that a component of any type can have. */
const everyComponent: readonly string[] = ['id', 'type', 'roles', 'required', 'saveTo', 'when']

/** Nobody reads more than this, and finding each one takes time. */
const usualMax = 100

/** What other tools call a condition under which something is shown. */
const conditions: ReadonlySet<string> = new Set([
  ...['if', 'condition', 'conditions', 'displayif', 'displaylogic', 'showif', 'showwhen', 'visible'],
  ...['visibleif', 'visiblewhen', 'hidden', 'hideif', 'hidewhen', 'enableif', 'skipif', 'skiplogic'],
])

/** The part of JSON Schema that settings use. */
interface Node {
  properties?: Record<string, Node>
  patternProperties?: Record<string, Node>
  additionalProperties?: unknown
  items?: Node
  anyOf?: Node[]
}

/**
 * R61: settings that the type does not have, at any depth: they would do nothing. Where any name is allowed (`data` of a
 * page of one's own, the parameters of a jsPsych plugin), the type itself checks what stands there.
 */
export function unknownSettings(
  { settings }: ComponentType,
  component: Settings,
  isGlobal: boolean,
  suggest: Suggest,
  maxUnknown = usualMax,
): Finding[] {
  const own = [...Object.keys(settings.properties), ...everyComponent, isGlobal ? 'states' : 'forEach']
  const found: Finding[] = []
  const report = (path: string, name: string, known: readonly string[]) =>
    found.push(error(`${path}/${escaped(name)}`, unknownSetting(name, known, suggest, path === '')))

  function look(value: unknown, schema: Node, path: string): void {
    if (found.length >= maxUnknown) return
    if (Array.isArray(value)) {
      const items = formsOf(schema).flatMap(({ items: each }) => each ?? [])
      for (const [index, item] of value.entries()) look(item, { anyOf: items }, `${path}/${index}`)
      return
    }
    if (!isObject(value)) return
    const forms = formsOf(schema)
    // Where a text per language cannot stand, the schema says so.
    if (forms.some(isFree) || (path !== '' && isTextByLanguage(value))) return
    const objects = forms.filter(({ properties }) => properties !== undefined)
    // A value of another kind altogether: the schema says so.
    if (objects.length > 0) lookInside(value, objects, path)
  }

  function lookInside(value: Settings, forms: readonly Node[], path: string): void {
    const known = [...new Set(forms.flatMap(({ properties = {} }) => Object.keys(properties)))]
    for (const [name, child] of Object.entries(value)) {
      if (found.length >= maxUnknown) return
      const schemas = forms.flatMap(({ properties = {} }) =>
        Object.hasOwn(properties, name) && properties[name] ? [properties[name]] : [],
      )
      if (schemas.length > 0) look(child, { anyOf: schemas }, `${path}/${escaped(name)}`)
      else if (path !== '' || !own.includes(name)) report(path, name, path === '' ? own : known)
    }
  }

  look(component, settings, '')
  return found
}

function unknownSetting(name: string, known: readonly string[], suggest: Suggest, isOutermost: boolean) {
  if (isOutermost && conditions.has(name.toLowerCase().replaceAll(/[_-]/g, '')))
    return `unknown setting ‘${name}’: write ‘when’ with an expression, as in "when": "answers.age > 17"`
  if (isOutermost && name === 'states')
    return 'unknown setting ‘states’: only a component in globalComponents has it; this one is shown in its own state'
  const meant = suggest(name, known)
  return `unknown setting ‘${name}’${meant === undefined ? '' : `; did you mean ‘${meant}’?`}`
}

/** A union's forms, and the schema itself otherwise. */
const formsOf = (schema: Node): Node[] => (schema.anyOf ? schema.anyOf.flatMap(formsOf) : [schema])

/** Whether it accepts any name. */
const isFree = ({ properties, patternProperties, additionalProperties, items, anyOf, ...more }: Node) =>
  patternProperties !== undefined ||
  additionalProperties === true ||
  (!properties && !items && !anyOf && !('type' in more) && !('enum' in more) && !('const' in more))

const isObject = (value: unknown): value is Settings => typeof value === 'object' && value !== null

/** RFC 6901. */
const escaped = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1')
