import { globSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** Kinds of changes, in the order in which a release lists them. */
const kinds = ['Added', 'Changed', 'Removed', 'Fixed', 'Security'] as const

/** More than two sentences belong into the documentation, with a link to it. */
const maxCharacters = 600

/** One change, as `changes/<slug>.md` says it. */
export interface Fragment {
  path: string
  text: string
}

const form = new RegExp(`^(${kinds.join('|')}): (\\S.*\\.)$`)

/** The fragments of what is not released yet, by name. `README.md` says how to write one. */
export const readFragments = (root: string): Fragment[] =>
  globSync('changes/*.md', { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path !== 'changes/README.md')
    .toSorted()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

export function removeFragments(root: string, fragments: readonly Fragment[]): void {
  for (const { path } of fragments) rmSync(join(root, path))
}

/** Explains what is wrong with a fragment; undefined if nothing is. */
export function problemWith({ path, text }: Fragment): string | undefined {
  if (!/^changes\/[a-z0-9]+(?:-[a-z0-9]+)*\.md$/.test(path))
    return `${path}: name it in small letters, with hyphens between words`
  if (text.length > maxCharacters) return `${path} has more than ${maxCharacters} characters`
  return form.test(lineOf(text)) ? undefined : `${path} has to read like “Fixed: One or two sentences.”`
}

/** The page of everything that a release changed. */
export function detailsOf(fragments: readonly Fragment[], version: string, date: string): string {
  const [problem] = fragments.flatMap((fragment) => problemWith(fragment) ?? [])
  if (problem !== undefined) throw new Error(problem)
  if (fragments.length === 0) throw new Error('there is nothing to release in changes/')
  const sections = kinds.flatMap((kind) => {
    const changes = fragments.flatMap(({ text }) => {
      const [, of, sentences = ''] = form.exec(lineOf(text)) ?? []
      return of === kind ? [`- ${linkedFromReleases(sentences)}`] : []
    })
    return changes.length === 0 ? [] : [`## ${kind}\n\n${changes.join('\n')}\n`]
  })
  return `# Atrium ${version} (${date})\n\n${sections.join('\n')}`
}

/** A fragment may be wrapped. */
const lineOf = (text: string): string => text.trim().replaceAll(/\s*\n\s*(?=\S)/g, ' ')

/** Links lead from `changes/`, and the page is in `docs/releases/`. */
const linkedFromReleases = (sentences: string): string =>
  sentences.replaceAll(/\]\(\.\.\/(docs\/)?/g, (_, docs) => (docs === undefined ? '](../../' : '](../'))
