import { execFile, execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createTemporaryFolder } from '@atrium/testkit'
import { beforeAll, expect, test } from 'vitest'
import { withoutTools } from './release/without-tools.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('..', import.meta.url))
const folder = createTemporaryFolder('release')
const copy = join(folder.path, 'atrium')
const git = (...args: string[]) => execFileSync('git', args, { cwd: copy, encoding: 'utf8' }).trim()
const read = (path: string) => readFileSync(join(copy, path), 'utf8')

/** The next minor version, whatever the present one is. */
const present: string = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version
const [major = '', minor = ''] = present.split('.')
const next = `${major}.${Number(minor) + 1}.0`

/** A failed run rejects with an error that has the same fields. */
const release = (...args: string[]) =>
  run(process.execPath, [join(copy, 'scripts', 'release.ts'), ...args], { cwd: copy }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  )

/** Other people's packages as they are installed; ours lead into the copy. */
function linkPackages(): void {
  const [installed, linked] = [join(root, 'node_modules'), join(copy, 'node_modules')]
  mkdirSync(join(linked, '@atrium'), { recursive: true })
  for (const name of readdirSync(installed))
    if (name !== '@atrium' && name !== '.cache') symlinkSync(join(installed, name), join(linked, name))
  for (const name of readdirSync(join(installed, '@atrium')))
    symlinkSync(readlinkSync(join(installed, '@atrium', name)), join(linked, '@atrium', name))
}

beforeAll(() => {
  // The working tree as it is, in a repository of its own.
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  for (const path of listed.trim().split('\n'))
    if (existsSync(join(root, path))) cpSync(join(root, path), join(copy, path), { recursive: true })
  linkPackages()
  writeFileSync(join(copy, 'changes', 'a-thing.md'), 'Added: A thing that was not there.\n')
  const [first = '', later = ''] = read('CHANGELOG.md').split('## Unreleased\n')
  writeFileSync(join(copy, 'CHANGELOG.md'), `${first}## Unreleased\n\n- A thing.\n${later}`)
  writeFileSync(join(copy, '.git-exclude'), 'node_modules\n.git-exclude\n')
  git('init', '--quiet')
  git('config', 'core.excludesFile', join(copy, '.git-exclude'))
  git('config', 'user.name', 'A tester')
  git('config', 'user.email', 'tester@example.org')
  git('add', '--all')
  git('commit', '--quiet', '--message', 'Begin')
  return () => folder.remove()
})

test('a release is refused for a version that does not follow, and while there are changes', async () => {
  expect(await release(present)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('does not come after'),
  })
  writeFileSync(join(copy, 'notes.txt'), 'unfinished')
  expect(await release(next)).toMatchObject({ code: 1, stderr: expect.stringContaining('not committed') })
  git('clean', '--quiet', '--force', 'notes.txt')
  git('tag', `v${next}`)
  expect(await release(next)).toMatchObject({ code: 1, stderr: expect.stringContaining('exists already') })
  git('tag', '--delete', `v${next}`)
  expect(git('status', '--porcelain')).toBe('')
})

test('a dry run leaves the repository as it was; the release commits, tags and writes what is inside', async () => {
  const before = git('rev-parse', 'HEAD')
  const dry = await release(next, '--dry-run', '--to', join(folder.path, 'dry'))
  expect(dry, dry.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining(`Would release ${next}`) })
  expect([git('rev-parse', 'HEAD'), git('status', '--porcelain'), git('tag')]).toEqual([before, '', ''])

  const target = join(folder.path, 'released')
  expect(await release(next, '--to', target)).toMatchObject({ code: 0 })
  expect(git('describe', '--exact-match')).toBe(`v${next}`)
  expect(git('status', '--porcelain')).toBe('')
  expect(git('log', '-1', '--format=%s')).toBe(`Release ${next}`)
  expect(JSON.parse(read('packages/client/package.json'))).toMatchObject({
    version: next,
    dependencies: { '@atrium/contract': next },
  })
  expect(read('docs/reference/api.md')).toContain(`version ${next}`)
  expect(read('deploy/rendered/small.yaml')).toContain(`image: "atrium:${next}"`)
  expect(read('CHANGELOG.md')).toMatch(
    new RegExp(`^## Unreleased\n\n## ${next} \\(\\d{4}-\\d\\d-\\d\\d\\)\n`, 'm'),
  )
  expect(read(`docs/releases/${next}.md`)).toContain('- A thing that was not there.')
  expect(existsSync(join(copy, 'changes', 'a-thing.md'))).toBe(false)

  const packages = ['agent', 'client', 'contract'].map((name) => `atrium-${name}-${next}.tgz`)
  expect(readdirSync(target).toSorted()).toEqual(
    ['NOTES.md', 'SHA256SUMS', `atrium-${next}.cdx.json`, ...packages].toSorted(),
  )
  const sums = readFileSync(join(target, 'SHA256SUMS'), 'utf8').trim().split('\n')
  expect(sums).toHaveLength(5)
  for (const line of sums) {
    const [sum, name = ''] = line.split('  ')
    expect(
      createHash('sha256')
        .update(readFileSync(join(target, name)))
        .digest('hex'),
    ).toBe(sum)
  }
  // The same commit gives the same packages, whoever builds them.
  for (const name of packages)
    expect(readFileSync(join(target, name)).equals(readFileSync(join(folder.path, 'dry', name))), name).toBe(
      true,
    )

  const sbom = JSON.parse(readFileSync(join(target, `atrium-${next}.cdx.json`), 'utf8'))
  expect(sbom).toMatchObject({
    bomFormat: 'CycloneDX',
    metadata: { component: { name: 'atrium', version: next } },
  })
  const names = sbom.components.map(({ name }: { name: string }) => name)
  expect(names).toEqual(expect.arrayContaining(['typebox', 'socket.io-client', 'fastify', 'client']))
  for (const tool of ['vitest', 'vite', 'typescript', 'knip']) expect(names).not.toContain(tool)
  // Everything that is installed without the tools, whether or not a tool needs it as well.
  const { packages: locked } = JSON.parse(read('package-lock.json'))
  const shipped = Object.entries(withoutTools<{ version: string; link?: true }>(locked)).flatMap(
    ([path, { version, link }]) => {
      const [, name] = /node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path) ?? []
      return name === undefined || link ? [] : [`pkg:npm/${name.replace('@', '%40')}@${version}`]
    },
  )
  expect(shipped.length).toBeGreaterThan(100)
  const listed = new Set(sbom.components.map(({ purl }: { purl: string }) => purl))
  expect(shipped.filter((purl) => !listed.has(purl))).toEqual([])
}, 900_000)
