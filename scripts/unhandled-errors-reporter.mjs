// A Vitest reporter that leaves the errors nobody handled in the file UNHANDLED_ERRORS_FILE. Vitest's own JSON report
// has no place for them.
import { writeFileSync } from 'node:fs'

export default class UnhandledErrorsReporter {
  onTestRunEnd(_testModules, errors) {
    const file = process.env.UNHANDLED_ERRORS_FILE
    if (file) writeFileSync(file, JSON.stringify(errors.map(describeError)))
  }
}

/** The error with its stack, the test during which it came up, and what caused it, in that order. */
function describeError(error) {
  const place = [error.VITEST_TEST_PATH, error.VITEST_TEST_NAME].filter(Boolean).join(' > ')
  const words = error.stack ?? `${error.name ?? 'Error'}: ${error.message ?? String(error)}`
  return [
    ...(place ? [`during ${place}`] : []),
    words,
    ...(error.cause ? [`caused by ${describeError(error.cause)}`] : []),
  ].join('\n')
}
