import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { runVitest } from './run-vitest.mjs'
import { stolenShare } from './stolen-time.mjs'

/** Inside node_modules, so that the fixtures can import Vitest and other checks ignore them. */
const fixtures = fileURLToPath(new URL('../node_modules/.atrium-fixtures', import.meta.url))

function run(body, stolen = 0) {
  mkdirSync(fixtures, { recursive: true })
  const folder = mkdtempSync(join(fixtures, 'run-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'vitest.config.mjs'), 'export default { test: { include: ["*.check.mjs"] } }')
  writeFileSync(join(folder, 'one.check.mjs'), `import { expect, test } from 'vitest'\n${body}`)
  const args = ['--root', folder, '--config', join(folder, 'vitest.config.mjs')]
  const { VITEST, VITEST_POOL_ID, VITEST_WORKER_ID, NODE_OPTIONS, ...env } = process.env
  return runVitest({ node: process.execPath, cwd: folder, env, args, output: 'ignore', stolen })
}

test('[R41] a run in which everything passes has nothing to report', () => {
  expect(run(`test('fine', () => undefined)`)).toEqual({ passed: 1, failed: 0, unhandledErrors: [] })
})

test('[R41] an unhandled error fails a run whose tests all pass, and is reported with its cause', () => {
  const { passed, failed, unhandledErrors } = run(`
    test('passes', async () => {
      void Promise.reject(new Error('nobody awaits this', { cause: new Error('the socket hung up') }))
      await new Promise(setImmediate)
    })`)
  expect({ passed, failed }).toEqual({ passed: 1, failed: 1 })
  expect(unhandledErrors).toHaveLength(1)
  expect(unhandledErrors[0]).toMatch(/one\.check\.mjs[\s\S]*nobody awaits this[\s\S]*the socket hung up/)
})

test('[R41] unhandled errors are counted in addition to failed tests', () => {
  const { passed, failed, unhandledErrors } = run(`
    test('fails', () => expect(1).toBe(2))
    test('passes', async () => {
      void Promise.reject(new Error('nobody awaits this'))
      await new Promise(setImmediate)
    })`)
  expect({ passed, failed }).toEqual({ passed: 1, failed: 2 })
  expect(unhandledErrors).toHaveLength(1)
})

/** Fails in its first run only. */
const failsOnce = `
  import { existsSync, writeFileSync } from 'node:fs'
  test('fails once', () => {
    const isSecond = existsSync('was-run')
    writeFileSync('was-run', '')
    expect(isSecond).toBe(true)
  })
  test('passes', () => undefined)`

test('[R41] on a machine that kept its processors, a failure counts', () => {
  expect(run(failsOnce, 0.05)).toMatchObject({ passed: 1, failed: 1 })
})

test('[R41] where the host took the processors, files that failed are run once more, alone', () => {
  expect(run(failsOnce, 0.3)).toMatchObject({ passed: 2, failed: 0 })
  expect(run(`test('fails', () => expect(1).toBe(2))`, 0.3)).toMatchObject({ passed: 0, failed: 1 })
})

test('the share of time that the host took is that of the time in which a processor was wanted', () => {
  const before = [100, 0, 50, 1_000, 10, 0, 0, 20]
  expect(stolenShare(before, [160, 0, 70, 9_000, 99, 0, 0, 40])).toBe(0.2)
  expect(stolenShare(before, before)).toBe(0)
  expect(stolenShare(undefined, before)).toBe(0)
})
