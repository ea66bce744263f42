// Runs Vitest and counts what came of it.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { tallyVitest } from './tally.mjs'

const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))
const unhandledErrorsReporter = fileURLToPath(new URL('./unhandled-errors-reporter.mjs', import.meta.url))

/**
 * `settings`: the program to run it with, the folder, the environment, further arguments, and where its output goes.
 * Returns the counts, and the errors that nobody handled, each with its cause: every one of them is a failure.
 */
export function runVitest({ node, cwd, env, args, output = 'inherit' }) {
  const reports = mkdtempSync(join(tmpdir(), 'atrium-test-reports-'))
  const [testsFile, errorsFile] = [join(reports, 'tests.json'), join(reports, 'unhandled-errors.json')]
  const reporters = [
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${testsFile}`,
    `--reporter=${unhandledErrorsReporter}`,
  ]
  const { status } = spawnSync(node, [vitest, 'run', ...reporters, ...args], {
    cwd,
    env: { ...env, UNHANDLED_ERRORS_FILE: errorsFile },
    stdio: ['ignore', output, output],
  })
  const [report, unhandledErrors = []] = [readJson(testsFile), readJson(errorsFile)]
  rmSync(reports, { recursive: true, force: true })
  return { ...tallyVitest(report, status ?? 1, unhandledErrors.length), unhandledErrors }
}

export function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined // The program that should have written it crashed; the tally counts that as a failure.
  }
}
