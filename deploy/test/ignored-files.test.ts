import { spawnSync } from 'node:child_process'
import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createTemporaryFolder } from '@atrium/testkit'
import { beforeAll, expect, test } from 'vitest'
import { installSystemPrograms } from '../../scripts/system-programs.mjs'
import { deployFolder } from '../render/chart.ts'

const root = join(deployFolder, '..')
const folder = createTemporaryFolder('ignored')

/** In a repository of its own, because a copy of this one may come without git's folder. */
beforeAll(async () => {
  await installSystemPrograms([{ program: 'git', package: 'git' }])
  copyFileSync(join(root, '.gitignore'), join(folder.path, '.gitignore'))
  spawnSync('git', ['init', '--quiet'], { cwd: folder.path })
  return () => folder.remove()
})

test('git never sees the secrets and data that the documentation has people put into a checkout', () => {
  const written = [
    'compose.env',
    'secret.env',
    'internal-key.json',
    'deploy/.env',
    'backups/monday/manifest.json',
    'restored/atrium.db',
    'objects/a',
    'data/session-secret',
  ]
  const ours = ['docs/backup.md', 'apps/server/src/adapters/disk/new-backup.ts', 'deploy/compose.yaml']
  const { stdout } = spawnSync('git', ['check-ignore', '--no-index', ...written, ...ours], {
    cwd: folder.path,
    encoding: 'utf8',
  })
  expect(stdout.trim().split('\n')).toEqual(written)
})

test('no secret is on a command line, where other users of the machine and the history of the shell have it', () => {
  const page = readFileSync(join(root, 'docs', 'deployment.md'), 'utf8')
  expect(page.match(/--from-literal.*/g)).toBeNull()
  const given = [...page.matchAll(/--(?:secret-string|from-env-file)[ =](\S+)/g)].map(([, value]) => value)
  expect(given).toEqual(['secret.env', 'file://internal-key.json'])
})

test('files with secrets are made so that nobody else can read them', () => {
  const page = readFileSync(join(root, 'docs', 'deployment.md'), 'utf8')
  const blocks = [...page.matchAll(/^```(?:sh|text)\n([\s\S]*?)^```/gm)].map(([, text = '']) => text)
  const making = blocks.filter((text) => /> \S+\.(?:env|json)\b/.test(text))
  expect(making.length).toBeGreaterThan(0)
  for (const text of making) expect(text).toMatch(/^umask 077\b/m)
})
