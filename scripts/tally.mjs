// Counts what `npm test` ran. Whatever did not clearly pass has failed.

/** `checks`: what scripts/check.ts reported, or undefined when it left no report. */
export function tallyChecks(checks) {
  if (checks === undefined || checks.length === 0) return { passed: 0, failed: 1 }
  const passed = checks.filter((check) => check.passed).length
  return { passed, failed: checks.length - passed }
}

/**
 * `report`: Vitest's JSON report, or undefined when it left none; `exitCode`: that of the Vitest process;
 * `unhandledErrors`: how many errors nobody handled.
 */
export function tallyVitest(report, exitCode, unhandledErrors = 0) {
  const files = report?.testResults ?? []
  const tests = files.flatMap((file) => file.assertionResults)
  const passed = tests.filter((test) => test.status === 'passed').length
  // Skipped and to-do tests are forbidden here, so they count as failed.
  const failedTests = tests.length - passed
  // A file that could not be loaded has no tests to count.
  const brokenFiles = files.filter(
    (file) => file.status !== 'passed' && file.assertionResults.every((test) => test.status === 'passed'),
  ).length
  const failed = failedTests + brokenFiles + unhandledErrors
  // Crashes show only in the exit code; a run of nothing proves nothing.
  const somethingElseFailed = failed === 0 && (exitCode !== 0 || passed === 0)
  return { passed, failed: somethingElseFailed ? 1 : failed }
}
