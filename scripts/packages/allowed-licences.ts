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

/** Packages under another licence, or whose lockfile entry names none, each with the reason why it may be used. */
const exceptions: Record<string, string> = {}

interface LockedPackage {
  license?: string
  link?: boolean
}

/** A sentence for each package of the lockfile that may not be used, or whose exception is not needed any more. */
export function licenceProblems(packages: Record<string, LockedPackage>, excepted = exceptions): string[] {
  const foreign = Object.entries(packages).filter(
    ([path, entry]) => path.includes('node_modules/') && entry.link !== true,
  )
  const refused = foreign
    .map(([path, { license }]) => ({ name: path.slice(path.lastIndexOf('node_modules/') + 13), license }))
    .filter(({ license }) => license === undefined || !isAllowed(license))
  const unexpected = refused.filter(({ name }) => !(name in excepted))
  const unneeded = Object.keys(excepted).filter((name) => !refused.some((one) => one.name === name))
  return [
    ...unexpected.map(({ name, license }) => `${name}: ${license ?? 'no licence'} is not on the list`),
    ...unneeded.map((name) => `${name}: the exception is not needed any more`),
  ]
}

/** An SPDX expression: one of several is enough after OR, all are needed after AND. */
function isAllowed(expression: string): boolean {
  return expression
    .replaceAll(/[()]/g, ' ')
    .split(/\sOR\s/)
    .some((choice) => choice.split(/\sAND\s/).every((licence) => allowed.has(licence.trim())))
}
