const unreleased = '## Unreleased\n'

/** Where everything is that a release changed, one page each. */
export const detailsPathOf = (version: string): string => `docs/releases/${version}.md`

/** The changelog with what people get under the version, with a link to the details, and an empty place for what comes next. */
export function releaseChangelog(changelog: string, version: string, date: string): string {
  const start = changelog.indexOf(unreleased)
  if (start < 0) throw new Error('the changelog has no section “Unreleased”')
  if (changelog.includes(`\n## ${version} `)) throw new Error(`the changelog already has version ${version}`)
  const rest = changelog.slice(start + unreleased.length)
  const summary = notesIn(rest)
  if (summary === '')
    throw new Error(
      'the changelog says nothing under “Unreleased”: write there in a few lines what people get',
    )
  const older = rest.slice(endOfSection(rest))
  const link = `[Everything that changed in ${version}](${detailsPathOf(version)})`
  const section = `## ${version} (${date})\n\n${summary}\n\n${link}\n`
  return `${changelog.slice(0, start)}${unreleased}\n${section}${older && `\n${older}`}`
}

/** What users are told about a version: its part of the changelog. */
export function notesOf(changelog: string, version: string): string {
  const [, after = ''] = changelog.split(`\n## ${version} (`)
  return notesIn(after.slice(after.indexOf('\n') + 1))
}

const notesIn = (section: string): string => section.slice(0, endOfSection(section)).trim()

function endOfSection(section: string): number {
  const end = section.search(/^## /m)
  return end < 0 ? section.length : end
}
