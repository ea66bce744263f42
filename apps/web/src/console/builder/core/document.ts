/**
 * The definition that is being built: any JSON, because it is seldom valid on the way. Edits return a new document that
 * shares everything they do not touch, so parts that no form knows stay as they are.
 */
export type Path = readonly (string | number)[]

type JsonObject = Record<string, unknown>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

export const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

export function valueAt(document: unknown, path: Path): unknown {
  let value = document
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as JsonObject)[key]
  }
  return value
}

export const listAt = (document: unknown, path: Path): readonly unknown[] => listIn(valueAt(document, path))

/** What is missing on the way is made: an object, or a list where a number follows. */
export function withValue(document: unknown, path: Path, value: unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return value
  if (typeof key === 'number') {
    const items = [...listIn(document)]
    items[key] = withValue(items[key], rest, value)
    return items
  }
  const object = isObject(document) ? document : {}
  const inner = Object.hasOwn(object, key) ? object[key] : undefined
  return { ...object, [key]: withValue(inner, rest, value) }
}

/** Without a property, or without an item of a list. */
export function withoutValue(document: unknown, path: Path): unknown {
  const last = path.at(-1)
  const parent = path.slice(0, -1)
  const container = valueAt(document, parent)
  if (last === undefined || typeof container !== 'object' || container === null) return document
  if (!Object.hasOwn(container, last)) return document
  const left = Array.isArray(container)
    ? container.filter((_, at) => at !== last)
    : Object.fromEntries(Object.entries(container).filter(([name]) => name !== last))
  return withValue(document, parent, left)
}

export function withItem(document: unknown, list: Path, at: number, item: unknown): unknown {
  return withValue(document, list, listAt(document, list).toSpliced(at, 0, item))
}

export function withMoved(document: unknown, list: Path, from: number, to: number): unknown {
  const items = listAt(document, list)
  const isWithin = (at: number) => at >= 0 && at < items.length
  if (from === to || !isWithin(from) || !isWithin(to)) return document
  return withValue(document, list, items.toSpliced(from, 1).toSpliced(to, 0, items[from]))
}

/** Unchanged if no item changes, so that views know what they need not draw again. */
export function changedList(document: unknown, path: Path, change: (item: unknown) => unknown): unknown {
  const items = valueAt(document, path)
  if (!Array.isArray(items)) return document
  const changed = items.map(change)
  return changed.every((item, at) => item === items[at]) ? document : withValue(document, path, changed)
}

/** The same document if the value stays what it is. */
export function changedValue(document: unknown, path: Path, change: (value: unknown) => unknown): unknown {
  const present = valueAt(document, path)
  const next = change(present)
  return next === present ? document : withValue(document, path, next)
}

/** A property under another name, in its place. */
export function withRenamed(document: unknown, path: Path, name: string): unknown {
  const last = path.at(-1)
  const object = valueAt(document, path.slice(0, -1))
  if (!isObject(object) || last === name || Object.hasOwn(object, name)) return document
  const renamed = Object.fromEntries(
    Object.entries(object).map(([each, value]) => [each === last ? name : each, value]),
  )
  return withValue(document, path.slice(0, -1), renamed)
}

/** RFC 6901. */
export const pointerOf = (path: Path): string =>
  path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

/** Whether a value names a place inside another, or the place itself. */
export const isWithin = (pointer: string, outer: string): boolean =>
  pointer === outer || pointer.startsWith(`${outer}/`)

/** Which keys are numbers depends on what stands there. */
export function pathOf(document: unknown, pointer: string): Path {
  const path: (string | number)[] = []
  let value = document
  for (const escaped of pointer.split('/').slice(1)) {
    const name = escaped.replaceAll('~1', '/').replaceAll('~0', '~')
    const key = Array.isArray(value) && /^\d+$/.test(name) ? Number(name) : name
    path.push(key)
    value = valueAt(value, [key])
  }
  return path
}

/** A name that is not taken: `talk`, `talk-2`, `talk-3`. */
export function freshName(base: string, taken: Iterable<unknown>, separator = '-'): string {
  const known = new Set(taken)
  if (!known.has(base)) return base
  for (let count = 2; ; count += 1) {
    const name = `${base}${separator}${count}`
    if (!known.has(name)) return name
  }
}
