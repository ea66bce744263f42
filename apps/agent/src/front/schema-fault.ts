import { isRecord, listOr, recordOr } from '../engines/http/json-facts.ts'

type Schema = Record<string, unknown>

/** Members with one schema, with a list of them, and with schemas by name. */
const single = [
  ...['additionalProperties', 'unevaluatedProperties', 'propertyNames', 'contains'],
  ...['items', 'additionalItems', 'unevaluatedItems', 'not', 'if', 'then', 'else'],
]
const lists = ['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items']
const byName = ['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions']
/** Those that are about the same value as the schema itself. */
const samePlace = { single: ['not', 'if', 'then', 'else'], lists: ['allOf', 'anyOf', 'oneOf'] }

/**
 * Why answers could not be checked against this schema; undefined if they can. A check of some value finds only the faults on
 * its way; the others would show once the model has answered.
 */
export function schemaFault(root: Schema): string | undefined {
  const resolve = createResolve(root)
  const seen = new Set<Schema>()
  const open: [path: string, part: unknown][] = [['#', root]]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [path, part] = next
    if (typeof part === 'boolean') continue
    if (!isRecord(part)) return `${path} is not a schema`
    if (seen.has(part)) continue
    seen.add(part)
    for (const pattern of patternsOf(part))
      if (!isPattern(pattern))
        return `${path} has the pattern “${pattern}”, which is not a regular expression`
    const target = resolve(part)
    if (target === nowhere) return `${path} refers to “${part.$ref}”, which is not there`
    if (target !== undefined) open.push([String(part.$ref), target])
    open.push(...partsOf(part).map(([name, value]): [string, unknown] => [`${path}/${name}`, value]))
  }
  return hasCircle(seen, resolve) ? 'it refers to itself in a circle' : undefined
}

const patternsOf = (part: Schema): string[] => [
  ...(typeof part.pattern === 'string' ? [part.pattern] : []),
  ...Object.keys(recordOr(part.patternProperties)),
]

function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u')
    return true
  } catch {
    return false
  }
}

const partsOf = (part: Schema): [name: string, value: unknown][] => [
  ...single.filter((name) => isRecord(part[name])).map((name): [string, unknown] => [name, part[name]]),
  ...lists.flatMap((name) =>
    listOr(part[name]).map((value, index): [string, unknown] => [`${name}/${index}`, value]),
  ),
  ...byName.flatMap((name) =>
    Object.entries(recordOr(part[name])).map(([key, value]): [string, unknown] => [`${name}/${key}`, value]),
  ),
]

const nowhere = Symbol('a reference that leads nowhere')
type Resolve = (part: Schema) => unknown

/**
 * What the reference of a part leads to; undefined without one. References by name are left to the check: they are found only
 * if the schema gives names.
 */
function createResolve(root: Schema): Resolve {
  const hasNames = /"\$(?:id|anchor|dynamicAnchor)":/.test(JSON.stringify(root))
  return ({ $ref: reference }) => {
    if (typeof reference !== 'string') return undefined
    if (reference === '#') return root
    if (hasNames) return undefined
    return reference.startsWith('#/') ? follow(root, pointerSteps(reference)) : nowhere
  }
}

function follow(root: Schema, steps: string[]): unknown {
  let found: unknown = root
  for (const step of steps) {
    const holder: object = typeof found === 'object' && found !== null ? found : {}
    if (!Object.hasOwn(holder, step)) return nowhere
    found = Reflect.get(holder, step)
  }
  return found
}

function pointerSteps(reference: string): string[] {
  try {
    const pointer = decodeURIComponent(reference.slice('#/'.length))
    return pointer.split('/').map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  } catch {
    return [reference] // Not encoded properly: nothing has this name.
  }
}

/** Whether a check of one value would never end: a schema that leads back to itself without entering the value. */
function hasCircle(parts: ReadonlySet<Schema>, resolve: Resolve): boolean {
  const done = new Set<unknown>()
  const above = new Set<unknown>()
  const leadsBack = (part: unknown): boolean => {
    if (!isRecord(part) || done.has(part)) return false
    if (above.has(part)) return true
    above.add(part)
    const next = [
      resolve(part),
      ...samePlace.single.map((name) => part[name]),
      ...samePlace.lists.flatMap((name) => listOr(part[name])),
    ]
    const isCircle = next.some(leadsBack)
    above.delete(part)
    done.add(part)
    return isCircle
  }
  return [...parts].some(leadsBack)
}
