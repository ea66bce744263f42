// `npm test`: installs what is missing, then runs the static checks and the first tier of tests.
// `npm run test:more`, `test:long` and `test:faults` run others with a configuration of their own, without the checks.
// The last line is always `N passed, N failed`; extra arguments go to Vitest (`npm test -- rooms`).
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepareTests } from './prepare-tests.mjs'
import { readJson, runVitest } from './run-vitest.mjs'
import { buildWeb, environmentWithPackages, pinnedNode, root } from './setup.mjs'
import { tallyChecks } from './tally.mjs'

// Printed at the very end, whatever happens; if the set-up fails, the total stays like this.
let total = { passed: 0, failed: 1 }
process.on('exit', () => console.log(`${total.passed} passed, ${total.failed} failed`))

const args = process.argv.slice(2)
await prepareTests({ isLong: args.includes('vitest.long.config.ts') })

const checks = args.includes('--config') ? { passed: 0, failed: 0 } : runChecks()
if (checks.failed > 0) console.log('The checks failed, so the tests were not run.')
else buildWeb()
const tests = checks.failed === 0 ? runTests() : { passed: 0, failed: 0, failures: [], unhandledErrors: [] }
// Repeated at the end, because Vitest printed them far above.
for (const { name, message } of tests.failures) console.log(`Failed: ${name.replace(root, '')}: ${message}`)
for (const error of tests.unhandledErrors) console.log(`Unhandled error ${error}\n`)

total = { passed: checks.passed + tests.passed, failed: checks.failed + tests.failed }
process.exitCode = total.failed === 0 ? 0 : 1

function runChecks() {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-test-reports-'))
  const report = join(folder, 'checks.json')
  const settings = { cwd: root, env: environmentWithPackages(), stdio: ['ignore', 'inherit', 'inherit'] }
  spawnSync(pinnedNode(), [join(root, 'scripts', 'check.ts'), '--json', report], settings)
  const counts = tallyChecks(readJson(report))
  rmSync(folder, { recursive: true, force: true })
  return counts
}

function runTests() {
  return runVitest({ node: pinnedNode(), cwd: root, env: environmentWithPackages(), args })
}
