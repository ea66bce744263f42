// Checks every import of the repository against scripts/boundary-rules.ts.
import { globSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join } from 'node:path/posix'
import { fileURLToPath } from 'node:url'
import { type BoundaryRule, boundaryRules } from './boundary-rules.ts'
import { findImports, type Import } from './imports.ts'

const workspaceApps = ['server', 'router', 'functions', 'agent', 'web']

/** What is wrong with one file, given its path from the root of the repository (with forward slashes). */
export function findViolations(file: string, source: string, rules = boundaryRules): string[] {
  const found = findRule(file, rules)
  if (found === undefined) return [`${file}: no rule covers ${file} (scripts/boundary-rules.ts)`]
  return findImports(source)
    .filter((imported) => !isAllowed(imported, file, found))
    .map(
      ({ line, specifier }) =>
        `${file}:${line}: imports ${specifier || 'something computed'}; ${found.rule.because}`,
    )
}

type FoundRule = { rule: BoundaryRule; names: Record<string, string> }

function findRule(file: string, rules: BoundaryRule[]): FoundRule | undefined {
  for (const rule of rules) {
    for (const pattern of rule.files) {
      const match = toRegExp(pattern).exec(file)
      if (match !== null) return { rule, names: { ...match.groups } }
    }
  }
  return undefined
}

function isAllowed({ specifier, typeOnly }: Import, file: string, { rule, names }: FoundRule): boolean {
  if (specifier === '') return false
  const target = targetOf(specifier, file)
  return rule.may.some((entry) => {
    const [pattern = entry, onlyTypes] = entry.startsWith('type ') ? [entry.slice(5), true] : [entry, false]
    const own = pattern.replace(/(?<!node|npm):(\w+)/g, (whole, name) => names[name] ?? whole)
    return toRegExp(own).test(target) && (typeOnly || !onlyTypes)
  })
}

/** The import in the words of the rules: a path from the root, `node:…` or `npm:…`. */
function targetOf(specifier: string, file: string): string {
  if (specifier.startsWith('.')) return join(dirname(file), specifier)
  if (isBuiltin(specifier)) return specifier.startsWith('node:') ? specifier : `node:${specifier}`
  const [first = '', second = '', ...rest] = specifier.split('/')
  if (first !== '@atrium') return `npm:${first.startsWith('@') ? `${first}/${second}` : first}`
  const folder = workspaceApps.includes(second) ? `apps/${second}` : `packages/${second}`
  // Entries of a package are src/index.ts and src/<name>.ts.
  return join(folder, 'src', `${rest.join('/') || 'index'}.ts`)
}

function toRegExp(pattern: string): RegExp {
  // Subpaths (node:fs/promises) and scopes (npm:@scope/name) are part of a name, not folders.
  const star = /^(?:node|npm):/.test(pattern) ? '.*' : '[^/]*'
  const source = pattern
    .replace(/[.+^$()|[\]\\]/g, '\\$&')
    .replace(/\*\*\/|\*\*|\*|(?<!node|npm):(\w+)/g, (found, name) => {
      if (found === '**/') return '(?:.*/)?'
      if (found === '**') return '.*'
      return found === '*' ? star : `(?<${name}>[^/]+)`
    })
  return new RegExp(`^${source}$`)
}

function listSources(root: string): string[] {
  const skipped = ['node_modules', 'dist', 'data', 'coverage']
  const found = globSync('**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs}', {
    cwd: root,
    exclude: (path) => skipped.includes(path.split('/').at(-1) ?? ''),
  })
  return found.map((path) => path.replaceAll('\\', '/')).sort()
}

if (import.meta.main) {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const files = listSources(root)
  const violations = files.flatMap((file) => findViolations(file, readFileSync(join(root, file), 'utf8')))
  for (const violation of violations) console.log(violation)
  console.log(`${files.length} files, ${violations.length} violations`)
  process.exitCode = violations.length === 0 ? 0 : 1
}
