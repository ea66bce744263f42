// `npm test`: installs what is missing, then runs the static checks and every test.
// The last line is always `N passed, N failed`; extra arguments go to Vitest (`npm test -- rooms`).
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildWeb, environmentWithPackages, installPackages, pinnedNode, root } from './setup.mjs'
import { installSystemPrograms } from './system-programs.mjs'
import { tallyChecks, tallyVitest } from './tally.mjs'

// Said at the very end, whatever happens: a set-up that gives up leaves this as it is.
let total = { passed: 0, failed: 1 }
process.on('exit', () => console.log(`${total.passed} passed, ${total.failed} failed`))

await installPackages()
installSystemPrograms([
  { program: 'postgres', package: 'postgresql' },
  { program: 'initdb', package: 'postgresql' },
  { program: 'redis-server', package: 'redis-server' },
  { program: 'chromium', package: 'chromium' },
])

const reports = mkdtempSync(join(tmpdir(), 'atrium-test-reports-'))
const checks = runChecks()
if (checks.failed > 0) console.log('The checks failed, so the tests were not run.')
else buildWeb()
const tests = checks.failed === 0 ? runVitest() : { passed: 0, failed: 0 }
rmSync(reports, { recursive: true, force: true })

total = { passed: checks.passed + tests.passed, failed: checks.failed + tests.failed }
process.exitCode = total.failed === 0 ? 0 : 1

function runChecks() {
  const report = join(reports, 'checks.json')
  run([join(root, 'scripts', 'check.ts'), '--json', report])
  return tallyChecks(readJson(report))
}

function runVitest() {
  const report = join(reports, 'vitest.json')
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const exitCode = run([vitest, 'run', ...reporters, ...process.argv.slice(2)])
  return tallyVitest(readJson(report), exitCode)
}

function run(nodeArguments) {
  const settings = { cwd: root, env: environmentWithPackages(), stdio: ['ignore', 'inherit', 'inherit'] }
  return spawnSync(pinnedNode(), nodeArguments, settings).status ?? 1
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined // The program that should have written it crashed; the tally counts that as a failure.
  }
}
