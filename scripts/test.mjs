// `npm test`: installs what is missing, then runs the static checks and every test.
// The last line is always `N passed, N failed`; extra arguments go to Vitest (`npm test -- rooms`).
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readJson, runVitest } from './run-vitest.mjs'
import { buildWeb, environmentWithPackages, installPackages, pinnedNode, root } from './setup.mjs'
import {
  findProgram,
  installOptionalPrograms,
  installSystemPrograms,
  videoPrograms,
} from './system-programs.mjs'
import { tallyChecks } from './tally.mjs'

// Printed at the very end, whatever happens; if the set-up fails, the total stays like this.
let total = { passed: 0, failed: 1 }
process.on('exit', () => console.log(`${total.passed} passed, ${total.failed} failed`))

/** A second browser; and files for other programs are tested with these: alert rules, the proxy, units of systemd, exports. */
const longPrograms = [
  ...(findProgram('firefox') ? [] : [{ program: 'firefox-esr', package: 'firefox-esr' }]),
  { program: 'promtool', package: 'prometheus' },
  { program: 'nginx', package: 'nginx-light' },
  { program: 'systemd-analyze', package: 'systemd' },
  { program: 'Rscript', package: 'r-base-core' },
  { program: 'python3', module: 'pandas', package: 'python3-pandas' },
]

/** The same browser without what only a window needs. Not every system has it. */
const lightBrowser = { program: 'chromium-headless-shell', package: 'chromium-headless-shell' }

await installPackages()
installOptionalPrograms([lightBrowser], 'browser tests take longer')
installSystemPrograms([
  { program: 'postgres', package: 'postgresql' },
  { program: 'initdb', package: 'postgresql' },
  { program: 'redis-server', package: 'redis-server' },
  ...(findProgram(lightBrowser.program) ? [] : [{ program: 'chromium', package: 'chromium' }]),
  { program: 'script', package: 'bsdutils' },
  ...videoPrograms,
  ...(process.argv.includes('vitest.long.config.ts') ? longPrograms : []),
])

const reports = mkdtempSync(join(tmpdir(), 'atrium-test-reports-'))
const checks = runChecks()
if (checks.failed > 0) console.log('The checks failed, so the tests were not run.')
else buildWeb()
const tests = checks.failed === 0 ? runTests() : { passed: 0, failed: 0, unhandledErrors: [] }
rmSync(reports, { recursive: true, force: true })
// Repeated at the end, because Vitest printed them far above.
for (const error of tests.unhandledErrors) console.log(`Unhandled error ${error}\n`)

total = { passed: checks.passed + tests.passed, failed: checks.failed + tests.failed }
process.exitCode = total.failed === 0 ? 0 : 1

function runChecks() {
  const report = join(reports, 'checks.json')
  const settings = { cwd: root, env: environmentWithPackages(), stdio: ['ignore', 'inherit', 'inherit'] }
  spawnSync(pinnedNode(), [join(root, 'scripts', 'check.ts'), '--json', report], settings)
  return tallyChecks(readJson(report))
}

function runTests() {
  const args = process.argv.slice(2)
  return runVitest({ node: pinnedNode(), cwd: root, env: environmentWithPackages(), args })
}
