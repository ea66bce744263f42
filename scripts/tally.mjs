// Counts the results of `npm test`. Anything that did not clearly pass counts as failed.

/** `checks`: the report of scripts/check.ts, or undefined if there is none. */
export function tallyChecks(checks) {
  if (checks === undefined || checks.length === 0) return { passed: 0, failed: 1 }
  const passed = checks.filter((check) => check.passed).length
  return { passed, failed: checks.length - passed }
}

/**
 * `report`: Vitest's JSON report, or undefined if there is none; `exitCode`: that of the Vitest process;
 * `unhandledErrors`: the number of unhandled errors.
 */
export function tallyVitest(report, exitCode, unhandledErrors = 0) {
  const files = report?.testResults ?? []
  const tests = files.flatMap((file) => file.assertionResults)
  const passed = tests.filter((test) => test.status === 'passed').length
  // Skipped and to-do tests are forbidden here, so they count as failed.
  const failedTests = tests.length - passed
  // A file that failed to load has no tests to count.
  const brokenFiles = files.filter(
    (file) => file.status !== 'passed' && file.assertionResults.every((test) => test.status === 'passed'),
  ).length
  const failed = failedTests + brokenFiles + unhandledErrors
  // A crash shows only in the exit code, and a run without tests proves nothing.
  const somethingElseFailed = failed === 0 && (exitCode !== 0 || passed === 0)
  return { passed, failed: somethingElseFailed ? 1 : failed }
}
