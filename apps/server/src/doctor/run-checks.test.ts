import { expect, test } from 'vitest'
import { readableConfig } from './diagnose.ts'
import { ok } from './finding.ts'
import { neededPaths } from './gather/installed-packages.ts'
import { runChecks } from './run-checks.ts'

test('[R50] a check that fails or hangs hides none of the others', async () => {
  const findings = await runChecks(
    [
      { name: 'hangs', run: () => new Promise(() => undefined) },
      { name: 'throws', run: async () => Promise.reject(new RangeError('with a secret')) },
      { name: 'works', run: async () => [ok('works', 'It works.')] },
    ],
    50,
  )
  expect(findings.map(({ check, level }) => [check, level])).toEqual([
    ['hangs', 'problem'],
    ['throws', 'problem'],
    ['works', 'ok'],
  ])
  expect(JSON.stringify(findings)).not.toContain('with a secret')
})

test('[R50] every refusal of the configuration is reported, and the rest of it is still read', () => {
  const env = {
    PORT: 'many',
    SESSION_SECRET: 'short',
    HOSTED: 'true',
    S3_ENDPOINT: 'http://127.0.0.1:9000',
    DATA_DIR: '/somewhere',
  }
  const { config, refusals } = readableConfig(env, 'here')
  expect(refusals.map((refusal) => refusal.split(' ')[0])).toEqual([
    'PORT',
    'S3_ACCESS_KEY_ID',
    'OIDC_ISSUER',
    'SESSION_SECRET',
  ])
  expect(config).toMatchObject({ dataDir: '/somewhere', port: 3000 })
})

test('[R50] the packages that the server needs are found as Node finds them', () => {
  const packages = {
    'apps/server': { dependencies: { ours: '1', a: '1' } },
    'node_modules/ours': { link: true, resolved: 'packages/ours' },
    'packages/ours': { dependencies: { b: '1' } },
    'packages/ours/node_modules/b': { version: '1' },
    'node_modules/b': { version: '2' },
    'node_modules/a': { dependencies: { b: '2', absent: '1' } },
    'node_modules/c': {},
  }
  expect(neededPaths(packages)).toEqual(['node_modules/a', 'node_modules/b', 'packages/ours/node_modules/b'])
})
