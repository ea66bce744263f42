import { plainMediaName } from '@atrium/contract'
import { fileNameIssue } from '../uploaded-file.ts'

/** The last part of a path: a folder says nothing about a picture, and nothing of it leads anywhere. */
export const baseNameOf = (path: string): string => plainMediaName(path.split(/[/\\]/).at(-1) ?? '')

/** What is wrong with the name of a picture or a sound; undefined if nothing is. */
export const mediaNameIssue = (name: string): string | undefined =>
  name !== plainMediaName(name) ? 'must not begin or end with a space' : fileNameIssue(name)

/** Names that occur more than once: in a ZIP with folders, files may share one. */
export function repeatedNames(names: readonly string[]): string[] {
  const seen = new Set<string>()
  return [...new Set(names.filter((name) => seen.has(name) || !seen.add(name)))]
}
