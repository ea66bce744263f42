// `npm run test:flakes -- --times 5 --busy`: runs tests several times and lists what did not pass every time. With `--busy`,
// a program keeps each processor occupied meanwhile. Paths and `--config vitest.more.config.ts` say which tests.
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { prepareTests } from './prepare-tests.mjs'
import { runOnce } from './run-vitest.mjs'
import { buildWeb, environmentWithPackages, giveUp, pinnedNode, root } from './setup.mjs'
import { findUnsteadyTests } from './unsteady-tests.mjs'

const { values, positionals: paths } = parseArgs({
  options: {
    times: { type: 'string', default: '5' },
    busy: { type: 'boolean', default: false },
    config: { type: 'string' },
  },
  allowPositionals: true,
})
const times = Number(values.times)
if (!Number.isInteger(times) || times < 1) giveUp(`--times takes a whole number from 1, not ${values.times}.`)
const args = [...(values.config ? ['--config', values.config] : []), ...paths]
await prepareTests({ isLong: args.includes('vitest.long.config.ts') })
buildWeb()

const loads = values.busy ? Array.from({ length: availableParallelism() }, occupyProcessor) : []
process.on('exit', () => {
  for (const load of loads) load.kill('SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))

const runs = []
for (let run = 1; run <= times; run++) {
  const startedAt = performance.now()
  const result = runOnce({ node: pinnedNode(), cwd: root, env: environmentWithPackages(), args })
  for (const error of result.unhandledErrors) console.log(`Unhandled error ${error}\n`)
  runs.push(withUnhandledErrors(result))
  const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1)
  console.log(`\nRun ${run} of ${times}: ${minutes} minutes, ${result.status === 0 ? 'passed' : 'failed'}\n`)
}

const unsteady = findUnsteadyTests(runs)
for (const { name, passed, message } of unsteady)
  console.log(`${passed} of ${times}  ${name.replace(root, '')}\n        ${message}`)
console.log(`${unsteady.length} tests did not pass in each of ${times} runs`)
process.exitCode = unsteady.length === 0 ? 0 : 1

function occupyProcessor() {
  return spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' })
}

/** An error that no test awaited belongs to none; it is listed as a file that failed. */
function withUnhandledErrors({ report, unhandledErrors }) {
  if (report === undefined || unhandledErrors.length === 0) return report
  const errors = {
    name: 'unhandled errors',
    status: 'failed',
    message: unhandledErrors[0],
    assertionResults: [],
  }
  return { testResults: [...report.testResults, errors] }
}
