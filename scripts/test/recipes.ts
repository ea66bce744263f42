import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
export const read = (path: string): string => readFileSync(`${root}/${path}`, 'utf8')

/** Everything that a recipe can name. */
export const sources: readonly string[] = globSync(
  '{apps,packages,bench,deploy,scripts}/**/*.{ts,tsx,mjs,md}',
  { cwd: root, exclude: ['**/node_modules/**', '**/dist/**'] },
).map((path) => path.replaceAll('\\', '/'))

export interface Recipe {
  name: string
  text: string
}

/** The sections under “Recipes” in CONTRIBUTING.md. */
export function recipesIn(page: string): Recipe[] {
  const [, after = ''] = page.split(/^## Recipes\n/m)
  const [section = ''] = after.split(/^## /m)
  return section
    .split(/^### /m)
    .slice(1)
    .map((part) => ({ name: part.slice(0, part.indexOf('\n')), text: part.slice(part.indexOf('\n') + 1) }))
}

/** What stands between backticks. */
export const codeIn = (text: string): string[] =>
  [...text.matchAll(/`([^`]+)`/g)].flatMap(([, code]) => code ?? [])

export const isPath = (code: string): boolean => /^[\w.<>*/-]+$/.test(code) && /\w\/\w|\.\w+$/.test(code)
export const isName = (code: string): boolean => /^\*?[A-Za-z]\w+$/.test(code)

/**
 * The files for which a path of a recipe can stand. `<name>` is one part of a path, and the same one wherever it is
 * repeated; a path that begins in the middle, as “`tables.ts` beside it” does, may begin anywhere.
 */
export function filesFor(path: string): string[] {
  const seen = new Set<string>()
  const pattern = path
    .split(/(<\w+>|\*\*\/|\*)/)
    .map((part) => {
      const placeholder = /^<(\w+)>$/.exec(part)?.[1]
      if (placeholder !== undefined) {
        if (seen.has(placeholder)) return `\\k<${placeholder}>`
        seen.add(placeholder)
        return `(?<${placeholder}>[^/]+)`
      }
      if (part === '**/') return '(?:.*/)?'
      return part === '*' ? '[^/]*' : part.replaceAll(/[.+?^$()[\]{}|\\/]/g, '\\$&')
    })
    .join('')
  const whole = new RegExp(`(?:^|/)${pattern}${/\.\w+$/.test(path) ? '$' : '(?:/|(?<=/))'}`)
  return sources.filter((file) => whole.test(file))
}

/** Numbered steps that begin with a file, each with all it says. */
export const stepsOf = ({ text }: Recipe): { path: string; text: string }[] =>
  text.split(/^(?=\d+\. )/m).flatMap((step) => {
    const [, path] = /^\d+\. `([^`]+)`/.exec(step) ?? []
    // The paragraph after the last step is not part of it.
    const [said = ''] = step.split(/\n\n/)
    return path === undefined ? [] : [{ path, text: said }]
  })

/** What is said to go wrong when somebody forgets something. */
export const claimsIn = ({ text }: Recipe): string[] =>
  text
    .replaceAll(/\s+/g, ' ')
    .split(/(?<=[.;:])\s/)
    .filter((part) => /\b(?:does not compile|fails?)\b/.test(part))
    .map((part) => part.replace(/[.;:]$/, ''))
