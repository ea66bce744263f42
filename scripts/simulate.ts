// Runs an experiment with bots and checks what the platform stored:
//   npm run simulate -- <experiment> [--participants 40] [--dropout 0.1] [--speed 20] [--seed 7] [--stagger 20]
//                       [--server http://…]
// <experiment> is a definition file, the name of an example, or (with --server) the id of a recruiting experiment.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { quicken, renderSummary, simulate } from '@atrium/bots'
import { type ExperimentDefinition, experimentRoutes } from '@atrium/contract'
import { createApi, createResearcher, startServer } from '@atrium/testkit'

const usual = { participants: '40', dropout: '0.1', speed: '20', seed: '7', stagger: '20' }

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    participants: { type: 'string', default: usual.participants },
    dropout: { type: 'string', default: usual.dropout },
    speed: { type: 'string', default: usual.speed },
    seed: { type: 'string', default: usual.seed },
    stagger: { type: 'string', default: usual.stagger },
    server: { type: 'string' },
  },
})

class WrongUse extends Error {}

function numberOf(name: keyof typeof usual, least: number): number {
  const value = Number(values[name])
  if (!(value >= least)) throw new WrongUse(`--${name} must be a number of at least ${least}`)
  return value
}

/** The definition from a file or an example; undefined if there is none with that name. */
function definitionOf(name: string): ExperimentDefinition | undefined {
  const example = fileURLToPath(new URL(`../examples/${name}.json`, import.meta.url))
  const file = [name, example].find((path) => path.endsWith('.json') && existsSync(path))
  return file === undefined ? undefined : JSON.parse(readFileSync(file, 'utf8'))
}

/** Returns the id of an existing experiment on the server, or of a new one at the chosen speed. */
async function openExperiment(baseUrl: string, name: string, speed: number): Promise<string> {
  const api = createApi(baseUrl, 'atrium-bot/0.1')
  // As an admin, because the experiment may belong to anyone (R37).
  const researcher = await createResearcher(api, ['admin'])
  const { token } = researcher
  if (values.server !== undefined) {
    const known = await api.call(experimentRoutes.read, { token, params: { experimentId: name } })
    if (known.status === 200) return name
  }
  const definition = definitionOf(name)
  if (!definition) throw new WrongUse(`there is no experiment, file or example named ‘${name}’`)
  return await researcher.openExperiment(quicken(definition, speed))
}

/** Capacity for everyone, because the limits of an instance are not what is tested here. */
const spacious = { MAX_ROOMS_PER_POD: '100000', MAX_PARTICIPANTS_PER_POD: '100000' }

/** Overwrites a single line; prints nothing to a file, where each update would be a new line. */
function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${text.padEnd(40)}\r`)
}

async function run(): Promise<void> {
  const [name] = positionals
  if (name === undefined)
    throw new WrongUse('name an experiment, for example: npm run simulate -- public-goods')
  const participants = numberOf('participants', 1)
  const speed = numberOf('speed', 0.1)
  const [dropOutChance, staggerMs] = [numberOf('dropout', 0), numberOf('stagger', 0)]
  const own = values.server === undefined ? await startServer({ env: spacious }) : undefined
  const baseUrl = values.server ?? own?.http ?? ''
  try {
    const experimentId = await openExperiment(baseUrl, name, speed)
    const simulation = await simulate({
      baseUrl,
      experimentId,
      participants,
      speed,
      dropOutChance,
      staggerMs,
      seed: values.seed,
      onProgress: (through) => showProgress(`${through} of ${participants} have finished`),
    })
    showProgress('')
    console.log(renderSummary(simulation))
    if (simulation.findings.some(({ breaches }) => breaches.length > 0)) process.exitCode = 1
  } finally {
    await own?.stop()
  }
}

try {
  await run()
} catch (error) {
  if (!(error instanceof WrongUse)) throw error
  console.error(error.message)
  process.exitCode = 2
}
