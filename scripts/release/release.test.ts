import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { notesOf, releaseChangelog } from './changelog.ts'
import { detailsOf, problemWith, readFragments } from './fragments.ts'
import { lockfileWithVersion, problemWithVersion, withVersion } from './version.ts'
import { sourcesWithVersion, versionedFiles } from './versioned-files.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

describe('the version', () => {
  test.each([
    ['0.2.0', '0.2.1'],
    ['0.9.0', '0.10.0'],
    ['0.2.0', '1.0.0-rc.1'],
    ['1.0.0-rc.2', '1.0.0-rc.10'],
    ['1.0.0-rc.2', '1.0.0'],
  ])('%s can be followed by %s', (present, next) => {
    expect(problemWithVersion(present, next)).toBeUndefined()
    expect(problemWithVersion(next, present)).toContain('does not come after')
  })

  test.each(['', '1', 'v1.2.3', '1.2.3; rm -rf', '1.2', '../1.2.3'])('%j is no version', (next) => {
    expect(problemWithVersion('0.2.0', next)).toContain('is not a version')
  })

  test('is set where ours is named, and nowhere else', () => {
    const manifest = {
      name: '@atrium/x',
      version: '0.1.0',
      dependencies: { '@atrium/y': '0.1.0', idb: '8.0.4' },
    }
    expect(withVersion(manifest, '0.2.0')).toEqual({
      name: '@atrium/x',
      version: '0.2.0',
      dependencies: { '@atrium/y': '0.2.0', idb: '8.0.4' },
    })
    expect(withVersion({ name: '@atrium/agent' }, '0.2.0')).toEqual({ name: '@atrium/agent' })
    const packages = { '': manifest, 'node_modules/idb': { version: '0.1.0' } }
    expect(lockfileWithVersion({ version: '0.1.0', packages }, '0.2.0')).toMatchObject({
      version: '0.2.0',
      packages: { '': { version: '0.2.0' }, 'node_modules/idb': { version: '0.1.0' } },
    })
  })

  test('is set twice in the chart, whose other versions stay', () => {
    const chart = 'apiVersion: v2\nversion: 0.1.0\nappVersion: 0.1.0\nkubeVersion: ">=1.27.0-0"\n'
    expect(sourcesWithVersion('deploy/chart/Chart.yaml', chart, '0.2.0')).toBe(
      'apiVersion: v2\nversion: 0.2.0\nappVersion: 0.2.0\nkubeVersion: ">=1.27.0-0"\n',
    )
  })

  test('is that of the image in the example of a job', () => {
    const job = 'image: images.example.org/atrium:0.1.0\nargs: []\n'
    expect(sourcesWithVersion('deploy/jobs/backup.yaml', job, '0.2.0')).toBe(job.replace('0.1.0', '0.2.0'))
  })

  test('is the same in every package, in the lockfile and in the sources', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const files = versionedFiles(root)
    expect(files).toContain('package-lock.json')
    expect(files).toContain('apps/agent/src/cli/version.ts')
    expect(files).toContain('packages/client/src/version.ts')
    expect(files).toContain('deploy/chart/Chart.yaml')
    expect(files).toContain('deploy/jobs/backup.yaml')
    for (const path of files) {
      const text = readFileSync(join(root, path), 'utf8')
      expect(text === sourcesWithVersion(path, text, version), `${path} has another version`).toBe(true)
    }
  })
})

describe('the changelog', () => {
  const before = '# Changelog\n\n## Unreleased\n\n- A new thing.\n\n## 0.1.0 (2026-01-01)\n- An old thing.\n'

  test('a release takes what was unreleased, with a link to the details', () => {
    const after = releaseChangelog(before, '0.2.0', '2026-11-17')
    const notes = '- A new thing.\n\n[Everything that changed in 0.2.0](docs/releases/0.2.0.md)'
    expect(after).toBe(
      `# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-11-17)\n\n${notes}\n\n## 0.1.0 (2026-01-01)\n- An old thing.\n`,
    )
    expect(notesOf(after, '0.2.0')).toBe(notes)
    expect(notesOf(after, '0.1.0')).toBe('- An old thing.')
  })

  test('a release without notes, or of a version that exists, is refused', () => {
    const empty = '# Changelog\n\n## Unreleased\n\n## 0.1.0 (2026-01-01)\n- An old thing.\n'
    expect(() => releaseChangelog(empty, '0.2.0', '2026-11-17')).toThrow('says nothing')
    expect(() => releaseChangelog(before, '0.1.0', '2026-11-17')).toThrow('already has')
    expect(() => releaseChangelog('# Changelog\n', '0.2.0', '2026-11-17')).toThrow('no section')
  })
})

describe('the changes that are not released yet', () => {
  const fragment = (name: string, text: string) => ({ path: `changes/${name}.md`, text })

  test('are listed by kind, with links that lead from the page of the release', () => {
    const fragments = [
      fragment('a-defect', 'Fixed: It works\nagain ([how](../docs/sdk.md), [why](../SECURITY.md)).\n'),
      fragment('a-thing', 'Added: A new thing.\n'),
    ]
    expect(detailsOf(fragments, '0.2.0', '2026-11-17')).toBe(
      '# Atrium 0.2.0 (2026-11-17)\n\n## Added\n\n- A new thing.\n\n## Fixed\n\n- It works again ([how](../sdk.md), [why](../../SECURITY.md)).\n',
    )
    expect(() => detailsOf([], '0.2.0', '2026-11-17')).toThrow('nothing to release')
    expect(() => detailsOf([fragment('x', 'Oops')], '0.2.0', '2026-11-17')).toThrow(
      'changes/x.md has to read',
    )
  })

  test.each([
    ['Wrong name', 'Added: A thing.', 'small letters'],
    ['unknown', 'New: A thing.', 'has to read like'],
    ['no-sentence', 'Added: a thing', 'has to read like'],
    ['long', `Added: ${'x'.repeat(600)}.`, 'more than 600'],
  ])('%s is refused', (name, text, problem) => {
    expect(problemWith(fragment(name, text))).toContain(problem)
  })

  test('are all well written', () => {
    expect(readFragments(root).flatMap((one) => problemWith(one) ?? [])).toEqual([])
  })
})
