/** The parts of a JSON pointer (RFC 6901). */
const partsOf = (path: string): string[] =>
  path
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))

type Container = Record<string, unknown>

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null

function containerAt(root: unknown, path: string): { container: Container; name: string } | undefined {
  const parts = partsOf(path)
  const name = parts.pop()
  const container = parts.reduce<unknown>(
    (at, part) => (isContainer(at) && Object.hasOwn(at, part) ? at[part] : undefined),
    root,
  )
  return name !== undefined && isContainer(container) && Object.hasOwn(container, name)
    ? { container, name }
    : undefined
}

export function valueAt(root: unknown, path: string): unknown {
  if (path === '') return root
  const place = containerAt(root, path)
  return place?.container[place.name]
}

/** False where there is no such field. Only fields of objects are removed, so that the positions of lists stay. */
export function removeAt(root: unknown, path: string): boolean {
  const place = containerAt(root, path)
  return place !== undefined && !Array.isArray(place.container) && delete place.container[place.name]
}

export function replaceAt(root: unknown, path: string, value: unknown): void {
  const place = containerAt(root, path)
  if (place) place.container[place.name] = value
}
