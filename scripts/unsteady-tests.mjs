// Which tests did not pass in every one of several runs.

/**
 * `runs`: Vitest's JSON reports; undefined for a run without one. Returns `{ name, passed, message }` for each test that did
 * not pass in all of them: in how many it did, and the first line of what it said the first time it did not.
 */
export function findUnsteadyTests(runs) {
  const seen = new Map()
  const note = (name, hasPassed, message) => {
    const test = seen.get(name) ?? { name, passed: 0, message: undefined }
    seen.set(name, test)
    if (hasPassed) test.passed += 1
    else test.message ??= message?.trim().split('\n')[0] ?? 'did not run'
  }
  for (const report of runs) {
    if (report === undefined) note('the run itself', false, 'left no report')
    for (const file of report?.testResults ?? []) {
      for (const { fullName, status, failureMessages = [] } of file.assertionResults)
        note(`${file.name} > ${fullName}`, status === 'passed', failureMessages[0])
      // A file that fails to load, or in a hook, may have no test to name.
      if (file.status !== 'passed' && file.assertionResults.every(({ status }) => status === 'passed'))
        note(file.name, false, file.message)
    }
  }
  return [...seen.values()]
    .filter(({ passed }) => passed < runs.length)
    .map(({ name, passed, message = 'did not run' }) => ({ name, passed, message }))
    .sort((one, other) => one.passed - other.passed || one.name.localeCompare(other.name))
}
