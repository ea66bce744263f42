import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { completePackages } from './complete-lockfile.mjs'
import { withAddresses } from './packages/addressed-lockfile.mjs'
import { lockfilesAgree, pinnedNode } from './setup.mjs'
import { findProgram } from './system-programs.mjs'
import { tallyChecks, tallyVitest } from './tally.mjs'

describe('lockfilesAgree', () => {
  const wanted = {
    '': { version: '1.0.0' },
    'packages/contract': { version: '0.1.0' },
    'node_modules/a': { version: '1.0.0', integrity: 'x' },
    'node_modules/for-windows': { version: '1.0.0', optional: true },
    'node_modules/tool': { version: '1.0.0', integrity: 't', dev: true },
  }
  const enoughToStart = { 'packages/contract': {}, 'node_modules/a': { version: '1.0.0', integrity: 'x' } }
  const installed = { ...enoughToStart, 'node_modules/tool': { version: '1.0.0', integrity: 't', dev: true } }

  test('an optional package of another platform may be missing', () => {
    expect(lockfilesAgree(wanted, installed)).toBe(true)
  })

  test('[R1] a start accepts packages with and without the tools of tests; tests need them', () => {
    expect(lockfilesAgree(wanted, enoughToStart, false)).toBe(true)
    expect(lockfilesAgree(wanted, installed, false)).toBe(true)
    expect(lockfilesAgree(wanted, enoughToStart, true)).toBe(false)
    const outdated = { ...installed, 'node_modules/tool': { version: '0.9.0', integrity: 't', dev: true } }
    expect(lockfilesAgree(wanted, outdated, false)).toBe(false)
  })

  test.each([
    ['a package is missing', { 'packages/contract': {} }],
    ['a package is older', { ...installed, 'node_modules/a': { version: '0.9.0', integrity: 'x' } }],
    ['there is an extra package', { ...installed, 'node_modules/b': { version: '1.0.0' } }],
  ])('stale when %s', (_, other) => {
    expect(lockfilesAgree(wanted, other)).toBe(false)
  })
})

test('optional packages missing from the lockfile are added, and nothing else changes', () => {
  const here = { version: '1.0.0', integrity: 'x', optional: true }
  const tool = {
    version: '1.0.0',
    dev: true,
    optionalDependencies: { 'tool-here': '1.0.0', 'tool-win32-x64': '1.0.0' },
  }
  const packages = { 'node_modules/tool': tool, 'node_modules/tool/node_modules/tool-here': here }
  expect(completePackages(packages)).toEqual({
    ...packages,
    'node_modules/tool-win32-x64': {
      version: '1.0.0',
      cpu: ['x64'],
      dev: true,
      optional: true,
      os: ['win32'],
    },
  })
})

test('while packages are installed, each has an address in whichever registry is in use, by its own name', () => {
  const lockfile = {
    lockfileVersion: 3,
    packages: {
      'packages/contract': { version: '0.1.0' },
      'node_modules/@scope/a': { version: '1.0.0', integrity: 'x' },
      'node_modules/b/node_modules/alias': { name: 'c', version: '2.0.0', integrity: 'y' },
      'node_modules/for-windows': { version: '1.0.0', optional: true },
    },
  }
  const { packages, ...rest } = withAddresses(lockfile)
  expect(rest).toEqual({ lockfileVersion: 3 })
  expect(Object.values(packages).map(({ resolved }) => resolved)).toEqual([
    undefined,
    'https://registry.invalid/@scope/a/-/a-1.0.0.tgz',
    'https://registry.invalid/c/-/c-2.0.0.tgz',
    undefined,
  ])
})

test('only our own packages keep their Node requirement', () => {
  const ours = { version: '1.0.0', engines: { node: '>=20' } }
  expect(
    completePackages({ '': ours, 'node_modules/a': { version: '1.0.0', engines: { node: '>=22' } } }),
  ).toEqual({
    '': ours,
    'node_modules/a': { version: '1.0.0' },
  })
})

test('installing with Node 20 causes no EBADENGINE warnings', () => {
  const lockfile = join(import.meta.dirname, '..', 'package-lock.json')
  const { packages } = JSON.parse(readFileSync(lockfile, 'utf8'))
  const picky = Object.keys(packages).filter(
    (path) => path.includes('node_modules/') && packages[path].engines,
  )
  expect(picky, 'run: node scripts/complete-lockfile.mjs').toEqual([])
  expect(packages[''].engines).toEqual({ node: '>=20' })
})

test('the pinned Node runs TypeScript', () => {
  const { stdout } = spawnSync(pinnedNode(), ['--version'], { encoding: 'utf8' })
  expect(Number.parseInt(stdout.slice(1), 10)).toBeGreaterThanOrEqual(24)
})

test('programs are found on the PATH, and PostgreSQL where Debian installs it', () => {
  expect(findProgram('sh')).toMatch(/\/sh$/)
  expect(findProgram('initdb')).toMatch(/\/initdb$/)
  expect(findProgram('no-such-program')).toBeUndefined()
})

test('a missing program that cannot be installed is named', () => {
  const module = join(import.meta.dirname, 'system-programs.mjs')
  const script = `import { installSystemPrograms } from ${JSON.stringify(module)}
    await installSystemPrograms([{ program: 'no-such-program', package: 'no-such-package' }])`
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    env: { PATH: '/nowhere' },
  })
  expect(status).toBe(1)
  expect(stderr).toBe(
    "atrium: no-such-program not found; install no-such-package with this system's package manager.\n",
  )
})

test('[R1] a start without ffmpeg names it and goes on', () => {
  const module = join(import.meta.dirname, 'system-programs.mjs')
  const script = `import { installOptionalPrograms, videoPrograms } from ${JSON.stringify(module)}
    await installOptionalPrograms(videoPrograms, 'transcoding videos needs these')`
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    env: { PATH: '/nowhere' },
  })
  expect(status).toBe(0)
  expect(stderr).toBe(
    "atrium: transcoding videos needs these: ffmpeg, ffprobe, bwrap not found; install ffmpeg and bubblewrap with this system's package manager.\n",
  )
})

describe('the tally', () => {
  const file = (status, ...tests) => ({ status, assertionResults: tests.map((one) => ({ status: one })) })
  const report = (...files) => ({ testResults: files })

  test.each([
    ['all pass', report(file('passed', 'passed', 'passed')), 0, { passed: 2, failed: 0 }],
    ['one fails', report(file('failed', 'passed', 'failed')), 1, { passed: 1, failed: 1 }],
    [
      'a skipped test counts as failed',
      report(file('passed', 'passed', 'pending')),
      0,
      { passed: 1, failed: 1 },
    ],
    [
      'a file that cannot be loaded',
      report(file('failed'), file('passed', 'passed')),
      1,
      { passed: 1, failed: 1 },
    ],
    ['an unhandled error', report(file('passed', 'passed')), 1, { passed: 1, failed: 1 }],
    ['no tests at all', report(), 0, { passed: 0, failed: 1 }],
    ['no report at all', undefined, 1, { passed: 0, failed: 1 }],
  ])('%s', (_, given, exitCode, expected) => {
    expect(tallyVitest(given, exitCode)).toEqual(expected)
  })

  test('each check counts as one test', () => {
    expect(tallyChecks([{ passed: true }, { passed: false }])).toEqual({ passed: 1, failed: 1 })
    expect(tallyChecks(undefined)).toEqual({ passed: 0, failed: 1 })
  })
})
