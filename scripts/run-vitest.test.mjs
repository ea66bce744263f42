import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { runVitest } from './run-vitest.mjs'

/** Inside node_modules, so that the fixtures can import Vitest and other checks ignore them. */
const fixtures = fileURLToPath(new URL('../node_modules/.atrium-fixtures', import.meta.url))

function run(body) {
  mkdirSync(fixtures, { recursive: true })
  const folder = mkdtempSync(join(fixtures, 'run-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'vitest.config.mjs'), 'export default { test: { include: ["*.check.mjs"] } }')
  writeFileSync(join(folder, 'one.check.mjs'), `import { expect, test } from 'vitest'\n${body}`)
  const args = ['--root', folder, '--config', join(folder, 'vitest.config.mjs')]
  const { VITEST, VITEST_POOL_ID, VITEST_WORKER_ID, NODE_OPTIONS, ...env } = process.env
  return runVitest({ node: process.execPath, cwd: folder, env, args, output: 'ignore' })
}

test('[R41] a run in which everything passes has nothing to report', () => {
  expect(run(`test('fine', () => undefined)`)).toEqual({
    passed: 1,
    failed: 0,
    failures: [],
    unhandledErrors: [],
  })
})

test('[R41] what failed is named with what it said', () => {
  const { failures } = run(`test('fails', () => { throw new Error('no such room') })`)
  expect(failures).toEqual([
    { name: expect.stringMatching(/one\.check\.mjs > fails$/), passed: 0, message: 'Error: no such room' },
  ])
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
