import { componentTypeOf, isKnownType } from './catalogue.ts'
import type { Settings } from './component-type.ts'
import { targetsOf } from './for-each.ts'

/** True, false, or what is left of a condition that only the page can decide. */
export type Judgement = boolean | object

/** The part of JSON Schema that settings use. */
interface Node {
  properties?: Record<string, Node>
  items?: Node
  anyOf?: Node[]
}

/**
 * R61: the component without the options and rows that are not shown; of others, `when` says what is left of their condition. The
 * same object where no entry has a condition.
 */
export const judgedEntries = <Component extends Settings>(
  component: Component,
  judge: (when: unknown, path: string) => Judgement,
): Component => {
  const judged = judgedAt(component, schemaOf(component), '', judge) as Component
  const targets = targetsOf(component)
  if (!targets) return judged
  const each = targets.flatMap((target, at) => {
    const inside = judgedEntries(target.component, (when, path) =>
      judge(when, `/targets/${at}/component${path}`),
    )
    if (inside === target.component) return [target]
    return isAskable(inside) ? [{ ...target, component: inside }] : []
  })
  const isSame = each.length === targets.length && each.every((one, at) => one === targets[at])
  return isSame ? judged : { ...judged, targets: each }
}

/** Where options and rows have conditions: JSON pointers into the component, and what stands there. */
export function conditionsOfEntries(component: Settings): { path: string; when: string }[] {
  const found: { path: string; when: string }[] = []
  judgedEntries(component, (when, path) => {
    if (typeof when === 'string') found.push({ path, when })
    return true
  })
  return found
}

/**
 * Whether it can be asked with the options and rows that are left: a question without any is not shown, whatever its own condition
 * says. Types that the platform does not know ask whatever they ask.
 */
export function isAskable(settled: Settings): boolean {
  const targets = targetsOf(settled)
  if (targets) return targets.length > 0
  const { type } = settled
  return typeof type !== 'string' || !isKnownType(type) || componentTypeOf(type).read(settled) !== undefined
}

const schemaOf = ({ type }: Settings): Node =>
  typeof type === 'string' && isKnownType(type) ? componentTypeOf(type).settings : {}

type Judge = Parameters<typeof judgedEntries>[1]

function judgedAt(value: unknown, schema: Node, path: string, judge: Judge): unknown {
  if (schema.anyOf) return schema.anyOf.reduce((now, form) => judgedAt(now, form, path, judge), value)
  const { items, properties } = schema
  if (Array.isArray(value)) return items ? judgedList(value, items, path, judge) : value
  if (!properties || !isRecord(value)) return value
  const changed = Object.entries(value).flatMap(([name, child]) => {
    const inside = Object.hasOwn(properties, name)
      ? judgedAt(child, properties[name] ?? {}, `${path}/${name}`, judge)
      : child
    return inside === child ? [] : [[name, inside] as const]
  })
  return changed.length === 0 ? value : { ...value, ...Object.fromEntries(changed) }
}

function judgedList(list: unknown[], items: Node, path: string, judge: Judge): unknown[] {
  const mayHaveConditions = (items.anyOf ?? [items]).some(({ properties }) => properties?.when !== undefined)
  const kept = list.flatMap((entry, at) => {
    const inside = judgedAt(entry, items, `${path}/${at}`, judge)
    if (!mayHaveConditions || !isRecord(inside) || inside.when === undefined) return [inside]
    const { when, ...rest } = inside
    const judgement = judge(when, `${path}/${at}/when`)
    return judgement === false ? [] : [judgement === true ? rest : { ...rest, when: judgement }]
  })
  return kept.length === list.length && kept.every((entry, at) => entry === list[at]) ? list : kept
}

const isRecord = (value: unknown): value is Settings =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
