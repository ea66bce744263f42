/** A version that may be released: three numbers, or a pre-release of them. */
const version = /^(\d+)\.(\d+)\.(\d+)(?:-([0-9a-z]+(?:\.[0-9a-z]+)*))?$/

/** Explains why a version cannot follow the present one; undefined if it can. */
export function problemWithVersion(present: string, next: string): string | undefined {
  const before = version.exec(present)
  const after = version.exec(next)
  if (!after) return `${next} is not a version like 1.2.3 or 1.2.3-rc.1`
  if (!before) return `the present version ${present} cannot be read`
  return compare(before, after) < 0 ? undefined : `${next} does not come after ${present}`
}

function compare(a: RegExpExecArray, b: RegExpExecArray): number {
  const difference = [1, 2, 3].map((part) => Number(a[part]) - Number(b[part])).find((one) => one !== 0)
  if (difference !== undefined) return difference
  // The release itself comes after its pre-releases.
  if (a[4] === undefined || b[4] === undefined) return Number(a[4] === undefined) - Number(b[4] === undefined)
  return a[4].localeCompare(b[4], 'en', { numeric: true })
}

interface Manifest {
  name?: string
  version?: string
  [field: string]: unknown
}

const dependencyFields = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']

/** A package.json of ours, or our entry in the lockfile, with the version everywhere where ours is named. */
export function withVersion<Kind extends Manifest>(manifest: Kind, next: string): Kind {
  const dependencies = dependencyFields
    .filter((field) => manifest[field] !== undefined)
    .map((field) => [field, withOurs(manifest[field] as Record<string, string>, next)])
  return {
    ...manifest,
    ...(manifest.version !== undefined && { version: next }),
    ...Object.fromEntries(dependencies),
  }
}

const withOurs = (dependencies: Record<string, string>, next: string) =>
  Object.fromEntries(
    Object.entries(dependencies).map(([name, range]) => [name, name.startsWith('@atrium/') ? next : range]),
  )

interface Lockfile {
  version: string
  packages: Record<string, Manifest>
}

/** Everything in node_modules is other people's. */
export const lockfileWithVersion = <Kind extends Lockfile>(lockfile: Kind, next: string): Kind => ({
  ...lockfile,
  version: next,
  packages: Object.fromEntries(
    Object.entries(lockfile.packages).map(([path, entry]) => [
      path,
      path.includes('node_modules/') ? entry : withVersion(entry, next),
    ]),
  ),
})
