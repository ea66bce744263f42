// Licences of the packages that Atrium is built and tested with. `npm run check` compares the lockfile with this list.

/** Permissive: they ask for their notice, and nothing of those who use Atrium. */
const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Python-2.0',
  'Unlicense',
])

/** Packages under another licence, or whose licence the lockfile does not name, with the reason why they may be used. */
const exceptions: Record<string, string> = {
  '@fontsource-variable/inter':
    'OFL-1.1: the typeface of the pages, served unchanged under its own name, which the licence allows',
  'axe-core': 'MPL-2.0: tests of the pages use it, unchanged; no package or page of ours contains it',
  lightningcss: 'MPL-2.0: the build of the pages uses it, unchanged; no package or page of ours contains it',
  'xmlhttprequest-ssl': 'MIT, which its package.json names in the old field `licenses`',
}

interface LockedPackage {
  license?: string
  link?: boolean
  optional?: boolean
  optionalDependencies?: Record<string, string>
}

/** A sentence for each package of the lockfile that may not be used, or whose exception is not needed any more. */
export function licenceProblems(packages: Record<string, LockedPackage>, excepted = exceptions): string[] {
  const parents = parentsOfOptional(packages)
  const refused = Object.entries(packages)
    .filter(([path, entry]) => path.includes('node_modules/') && entry.link !== true)
    .map(([path, { license }]) => {
      const own = nameIn(path)
      // Binaries for one platform have the licence of the package that they belong to. The lockfile knows nothing of
      // those for other platforms (complete-lockfile.mjs).
      const parent = parents.get(own)
      return { name: parent?.name ?? own, license: license ?? parent?.license }
    })
    .filter(({ license }) => license === undefined || !isAllowed(license))
  const names = new Map(refused.map(({ name, license }) => [name, license]))
  return [
    ...[...names]
      .filter(([name]) => !(name in excepted))
      .map(([name, license]) => `${name}: ${license ?? 'no licence'} is not on the list`),
    ...Object.keys(excepted)
      .filter((name) => !names.has(name))
      .map((name) => `${name}: the exception is not needed any more`),
  ]
}

const nameIn = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

function parentsOfOptional(packages: Record<string, LockedPackage>) {
  const named = Object.entries(packages).filter(([path]) => path.includes('node_modules/'))
  return new Map(
    named.flatMap(([path, { license, optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).map((child) => [child, { name: nameIn(path), license }] as const),
    ),
  )
}

/** An SPDX expression: one of several is enough after OR, all are needed after AND. */
function isAllowed(expression: string): boolean {
  return expression
    .replaceAll(/[()]/g, ' ')
    .split(/\sOR\s/)
    .some((choice) => choice.split(/\sAND\s/).every((licence) => allowed.has(licence.trim())))
}
