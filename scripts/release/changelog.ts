const unreleased = '## Unreleased\n'

/** The changelog with everything that was unreleased under the version, and an empty place for what comes next. */
export function releaseChangelog(changelog: string, version: string, date: string): string {
  const start = changelog.indexOf(unreleased)
  if (start < 0) throw new Error('the changelog has no section “Unreleased”')
  if (changelog.includes(`\n## ${version} `)) throw new Error(`the changelog already has version ${version}`)
  const rest = changelog.slice(start + unreleased.length)
  if (notesIn(rest) === '') throw new Error('the changelog says nothing under “Unreleased”')
  return `${changelog.slice(0, start)}${unreleased}\n## ${version} (${date})\n${rest}`
}

/** What users are told about a version: its part of the changelog. */
export function notesOf(changelog: string, version: string): string {
  const [, after = ''] = changelog.split(`\n## ${version} (`)
  return notesIn(after.slice(after.indexOf('\n') + 1))
}

function notesIn(section: string): string {
  const end = section.search(/^## /m)
  return (end < 0 ? section : section.slice(0, end)).trim()
}
