interface LockedPackage {
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
  link?: boolean
  resolved?: string
}

/** What the pages are built with: `npm start` installs it, but nothing that we ship contains it. */
const buildTools = ['@vitejs/plugin-react', 'rolldown', 'rolldown-plugin-dts', 'typescript', 'vite']

/**
 * The lockfile's `packages` without those that only tools need. `npm sbom --omit dev` leaves out whatever a tool needs,
 * even if a program that we ship needs it as well, such as TypeBox.
 */
export function withoutTools<Locked extends LockedPackage>(
  packages: Record<string, Locked>,
): Record<string, Locked> {
  const ours = Object.keys(packages).filter((path) => !path.includes('node_modules/'))
  const shipped = new Map<string, Locked>()
  const waiting = [...ours]
  for (const path of waiting) {
    const found = packages[path]
    if (found === undefined || shipped.has(path)) continue
    const isOurs = !path.includes('node_modules/')
    const entry = isOurs ? withoutOwnTools(found) : found
    shipped.set(path, entry)
    if (found.link && found.resolved !== undefined) waiting.push(found.resolved)
    for (const name of neededBy(entry)) waiting.push(...placeOf(packages, path, name))
  }
  // The links to our own packages, which nothing else need name.
  for (const [path, entry] of Object.entries(packages)) if (entry.link) shipped.set(path, entry)
  return Object.fromEntries(
    Object.entries(packages).flatMap(([path]) => {
      const entry = shipped.get(path)
      return entry === undefined ? [] : [[path, entry]]
    }),
  )
}

function withoutOwnTools<Locked extends LockedPackage>(entry: Locked): Locked {
  const { devDependencies: _, dependencies = {}, ...rest } = entry
  const kept = Object.entries(dependencies).filter(([name]) => !buildTools.includes(name))
  return { ...rest, dependencies: Object.fromEntries(kept) } as Locked
}

const neededBy = (entry: LockedPackage): string[] => [
  ...Object.keys({ ...entry.dependencies, ...entry.optionalDependencies }),
  ...Object.keys(entry.peerDependencies ?? {}).filter(
    (name) => !entry.peerDependenciesMeta?.[name]?.optional,
  ),
]

/** Node's own search: beside the package, then in every node_modules above it. */
function placeOf(packages: Record<string, unknown>, path: string, name: string): string[] {
  const parts = path === '' ? [] : path.split('/node_modules/')
  const above = parts.map((_, depth) => `${parts.slice(0, parts.length - depth).join('/node_modules/')}/`)
  const place = [...above, ''].map((folder) => `${folder}node_modules/${name}`).find((one) => one in packages)
  return place === undefined ? [] : [place]
}
