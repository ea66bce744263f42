// `npm run test:flakes -- --times 5 --busy`: runs tests several times and lists what did not pass every time. With `--busy`,
// a program keeps each processor occupied meanwhile. Other arguments go to Vitest: a path, `--config vitest.more.config.ts`.
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { prepareTests } from './prepare-tests.mjs'
import { runOnce } from './run-vitest.mjs'
import { buildWeb, environmentWithPackages, giveUp, pinnedNode, root } from './setup.mjs'
import { findUnsteadyTests } from './unsteady-tests.mjs'

const { times, isBusy, args } = readArguments(process.argv.slice(2))
await prepareTests({ isLong: args.includes('vitest.long.config.ts') })
buildWeb()

const loads = isBusy ? Array.from({ length: availableParallelism() }, occupyProcessor) : []
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

function readArguments(given) {
  const rest = given.filter((argument) => argument !== '--busy')
  const at = rest.indexOf('--times')
  const [, wanted = '5'] = at === -1 ? [] : rest.splice(at, 2)
  const number = Number(wanted)
  if (!Number.isInteger(number) || number < 1) giveUp(`--times takes a whole number from 1, not ${wanted}.`)
  return { times: number, isBusy: given.includes('--busy'), args: rest }
}

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
