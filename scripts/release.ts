// npm run release -- <version> [--to <folder>] [--dry-run]
//
// Sets the version everywhere, gathers changes/ into the page of the release, moves what the changelog says about it under
// the version, builds and packs the packages, writes what is inside (SBOM) and checksums beside them, commits and tags. It
// pushes and publishes nothing. With --dry-run it writes the packages, and leaves the repository as it was.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { npmCommand, packAll, packageNames } from './packages/pack-all.ts'
import { detailsPathOf, notesOf, releaseChangelog } from './release/changelog.ts'
import { detailsOf, readFragments, removeFragments } from './release/fragments.ts'
import { problemWithVersion } from './release/version.ts'
import { sourcesWithVersion, versionedFiles } from './release/versioned-files.ts'
import { withoutTools } from './release/without-tools.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { to: { type: 'string' }, 'dry-run': { type: 'boolean', default: false } },
})
const [version = ''] = positionals
const target = resolve(values.to ?? join(root, 'dist', `atrium-${version}`))

const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const write = (path: string, text: string) => writeFileSync(join(root, path), text)

function giveUp(sentence: string): never {
  console.error(`atrium: ${sentence}.`)
  process.exit(1)
}

function refuse(): void {
  const problem = problemWithVersion(JSON.parse(read('package.json')).version, version)
  if (problem !== undefined) giveUp(problem)
  if (git('status', '--porcelain') !== '') giveUp('there are changes that are not committed')
  if (git('tag', '--list', `v${version}`) !== '') giveUp(`the tag v${version} exists already`)
}

function writeVersion(): void {
  const today = new Date().toISOString().slice(0, 10)
  const fragments = readFragments(root)
  write(detailsPathOf(version), detailsOf(fragments, version, today))
  removeFragments(root, fragments)
  write('CHANGELOG.md', releaseChangelog(read('CHANGELOG.md'), version, today))
  for (const path of versionedFiles(root)) write(path, sourcesWithVersion(path, read(path), version))
  // The manifests after the chart, which has the version by now.
  for (const script of ['scripts/generate.ts', 'deploy/render/render.ts'])
    execFileSync(process.execPath, [join(root, script)], { cwd: root, stdio: 'inherit' })
}

/**
 * Of everything that the lockfile names, for whichever platform, so that it does not depend on this machine. Made beside
 * the repository, because npm refuses a package without a version, which apps/agent is on purpose.
 */
function billOfMaterials(): string {
  const temporary = mkdtempSync(join(tmpdir(), 'atrium-sbom-'))
  const folder = join(temporary, 'atrium') // npm names the whole after its folder.
  mkdirSync(folder)
  const lockfile = JSON.parse(read('package-lock.json'))
  lockfile.packages['apps/agent'].version = version
  const packages = withoutTools(lockfile.packages)
  const { devDependencies: _, ...manifest } = JSON.parse(read('package.json'))
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ ...lockfile, packages }))
  const [npm, ...first] = npmCommand()
  const args = [...first, 'sbom', '--sbom-format', 'cyclonedx', '--package-lock-only']
  try {
    return execFileSync(npm, args, { cwd: folder, encoding: 'utf8', maxBuffer: 64 * 1_048_576 })
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

const sumOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex')

async function writePackages(): Promise<string[]> {
  mkdirSync(target, { recursive: true })
  const packed = await packAll(packageNames, target)
  const sbom = join(target, `atrium-${version}.cdx.json`)
  writeFileSync(sbom, billOfMaterials())
  const notes = join(target, 'NOTES.md')
  writeFileSync(notes, `${notesOf(read('CHANGELOG.md'), version)}\n\n${read(detailsPathOf(version))}`)
  const files = [...packed, sbom, notes]
  const sums = join(target, 'SHA256SUMS')
  writeFileSync(sums, files.map((path) => `${sumOf(path)}  ${basename(path)}\n`).join(''))
  return [...files, sums]
}

refuse()
try {
  writeVersion()
  const files = await writePackages()
  if (!values['dry-run']) {
    git('add', '--all')
    git('commit', '--quiet', '--message', `Release ${version}`)
    git('tag', '--annotate', `v${version}`, '--message', `Atrium ${version}`)
  }
  console.log(`${values['dry-run'] ? 'Would release' : 'Released'} ${version}:
${files.map((file) => `  ${file}`).join('\n')}`)
} finally {
  // The tree was clean, so that this undoes only what was written above: after a dry run, and after a failure.
  git('checkout', '--quiet', '--', '.')
  git('clean', '--quiet', '--force', '--', 'docs/releases')
}
