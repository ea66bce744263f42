// Runs Vitest and counts the results.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { tallyVitest } from './tally.mjs'
import { findUnsteadyTests } from './unsteady-tests.mjs'

const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))
const unhandledErrorsReporter = fileURLToPath(new URL('./unhandled-errors-reporter.mjs', import.meta.url))

/**
 * `settings`: the Node to run it with, the folder, the environment, further arguments, and where the output goes. Returns the
 * counts, what failed, and the unhandled errors with their causes, each of which counts as a failure.
 */
export function runVitest(settings) {
  const { report, status, unhandledErrors } = runOnce(settings)
  return {
    ...tallyVitest(report, status, unhandledErrors.length),
    failures: findUnsteadyTests([report]),
    unhandledErrors,
  }
}

/** Returns Vitest's report, its exit status and the unhandled errors. */
export function runOnce({ node, cwd, env, args, output = 'inherit' }) {
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
  return { report, status: status ?? 1, unhandledErrors }
}

export function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined // The program that should have written it crashed; the tally counts that as a failure.
  }
}
