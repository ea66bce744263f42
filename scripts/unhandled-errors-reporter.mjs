// A Vitest reporter that writes unhandled errors to the file UNHANDLED_ERRORS_FILE, because Vitest's own JSON report
// does not contain them.
import { writeFileSync } from 'node:fs'

export default class UnhandledErrorsReporter {
  onTestRunEnd(_testModules, errors) {
    const file = process.env.UNHANDLED_ERRORS_FILE
    if (file) writeFileSync(file, JSON.stringify(errors.map(describeError)))
  }
}

/** The test during which the error occurred, the error with its stack, and its cause. */
function describeError(error) {
  const place = [error.VITEST_TEST_PATH, error.VITEST_TEST_NAME].filter(Boolean).join(' > ')
  const words = error.stack ?? `${error.name ?? 'Error'}: ${error.message ?? String(error)}`
  return [
    ...(place ? [`during ${place}`] : []),
    words,
    ...(error.cause ? [`caused by ${describeError(error.cause)}`] : []),
  ].join('\n')
}
