// Runs Vitest and counts the results.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { processorTimes, stolenShare } from './stolen-time.mjs'
import { tallyVitest } from './tally.mjs'

const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))
const unhandledErrorsReporter = fileURLToPath(new URL('./unhandled-errors-reporter.mjs', import.meta.url))

/** From this share on, the machine says more about a failure than the test does. Without a busy host it is 0. */
const muchStolen = 0.1
/** More files than this do not fail because of the machine. */
const mostForASecondLook = 25

/**
 * `settings`: the Node to run it with, the folder, the environment, further arguments, where the output goes, and how to
 * learn which share of the processors was taken away meanwhile. Returns the counts and the unhandled errors with their
 * causes, each of which counts as a failure.
 *
 * If the host of a virtual machine took much of its processors during the run, files that failed are run once more, one
 * at a time, and that result counts. On a machine that kept its processors the first result counts.
 */
export function runVitest(settings) {
  const before = processorTimes()
  const first = runOnce(settings)
  const stolen = settings.stolen ?? stolenShare(before, processorTimes())
  const failed = failedFilesIn(first.report)
  const deservesSecondLook = stolen >= muchStolen && failed.length > 0 && failed.length <= mostForASecondLook
  if (!deservesSecondLook) return resultOf(first)
  const percent = Math.round(100 * stolen)
  console.log(`\nThe host took ${percent} % of the processors during this run. Run again, one at a time:`)
  for (const file of failed) console.log(`  ${file}`)
  const second = runOnce({ ...settings, args: [...settings.args, '--maxWorkers=1', ...failed] })
  const still = failedFilesIn(second.report)
  console.log(`Failed only in the first run: ${failed.length - still.length} of ${failed.length} files.`)
  return resultOf({
    report: second.report && withFilesFrom(first.report, second.report),
    status: second.status,
    unhandledErrors: [...first.unhandledErrors, ...second.unhandledErrors],
  })
}

const resultOf = ({ report, status, unhandledErrors }) => ({
  ...tallyVitest(report, status, unhandledErrors.length),
  unhandledErrors,
})

const failedFilesIn = (report) =>
  (report?.testResults ?? []).filter(({ status }) => status !== 'passed').map(({ name }) => name)

function withFilesFrom(first, second) {
  const again = new Set(second.testResults.map(({ name }) => name))
  return { testResults: [...first.testResults.filter(({ name }) => !again.has(name)), ...second.testResults] }
}

/** Without a second look. Returns Vitest's report, its exit status and the unhandled errors. */
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
