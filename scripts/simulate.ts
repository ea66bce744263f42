// Plays an experiment with bots, or with agents, and checks what the platform has stored of it:
// `npm run simulate -- --help`.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { renderSummary, simulate, speedUp } from '@atrium/bots'
import { createApi, createResearcher, startServer } from '@atrium/testkit/without-vitest'
import { type ExperimentDefinition, experimentRoutes } from '../packages/contract/src/index.ts'
import { asksForAgents, pilotUsage, readPilotArguments } from './pilot-arguments.ts'
import { simulateWithAgents } from './simulate-agents.ts'
import { attributesIn, definitionFile, Misuse, unsaid } from './study-arguments.ts'

const usual = { participants: '40', dropout: '0.1', speed: '20', seed: '7', stagger: '20' }

const usage = `npm run simulate -- <experiment> [--participants 40] [--dropout 0.1] [--speed 20] [--seed 7] [--stagger 20]
  [--attribute age=17:1,30:3] [--server http://…]
${pilotUsage}
<experiment> is a definition file, the name of an example, or (with --server) the id of an experiment there. For bots it
must be recruiting. With --agents, agents play it in every seat instead, whatever its status, unless it is archived.`

function readArguments() {
  const { values, positionals } = parseCommandLine()
  const numberOf = (name: keyof typeof usual, min: number): number => {
    const value = Number(values[name])
    if (!(value >= min)) throw new Misuse(`--${name} must be a number of at least ${min}`)
    return value
  }
  const [name, ...more] = positionals
  if (name === undefined || more.length > 0) throw new Misuse(usage)
  return {
    name,
    server: values.server,
    participants: numberOf('participants', 1),
    speed: numberOf('speed', 0.1),
    dropOutChance: numberOf('dropout', 0),
    staggerMs: numberOf('stagger', 0),
    seed: values.seed,
    attributes: attributesIn(values.attribute),
  }
}

function parseCommandLine() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        participants: { type: 'string', default: usual.participants },
        dropout: { type: 'string', default: usual.dropout },
        speed: { type: 'string', default: usual.speed },
        seed: { type: 'string', default: usual.seed },
        stagger: { type: 'string', default: usual.stagger },
        attribute: { type: 'string', multiple: true, default: [] },
        server: { type: 'string' },
      },
    })
  } catch (error) {
    throw new Misuse(`${(error as Error).message}\n${usage}`)
  }
}

type Arguments = ReturnType<typeof readArguments>

/** The id of the experiment: one that the server has, else a new one at the chosen speed. */
async function openExperiment(baseUrl: string, { name, server, speed }: Arguments): Promise<string> {
  const api = createApi(baseUrl, 'atrium-bot/0.1')
  // As an admin, because the experiment may belong to anyone (R37).
  const researcher = await createResearcher(api, ['admin'])
  const { token } = researcher
  if (server !== undefined) {
    const known = await api.call(experimentRoutes.read, { token, params: { experimentId: name } })
    if (known.status === 200) return name
  }
  const file = definitionFile(name)
  if (file === undefined) throw new Misuse(`there is no experiment, file or example named ‘${name}’`)
  const definition: ExperimentDefinition = JSON.parse(readFileSync(file, 'utf8'))
  return await researcher.openExperiment(speedUp(definition, speed))
}

/** Capacity for everyone, because the limits of an instance are not what is tested here. */
const spacious = { MAX_ROOMS_PER_POD: '100000', MAX_PARTICIPANTS_PER_POD: '100000' }

/** Overwrites a single line; prints nothing to a file, where each update would be a new line. */
function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${text.padEnd(40)}\r`)
}

async function run(given: Arguments): Promise<void> {
  const { name: _asked, server, ...options } = given
  const { participants } = options
  const own = server === undefined ? await startServer({ env: spacious }) : undefined
  const baseUrl = server ?? own?.http ?? ''
  try {
    const experimentId = await openExperiment(baseUrl, given)
    const simulation = await simulate({
      ...options,
      baseUrl,
      experimentId,
      onProgress: (through) => showProgress(`${through} of ${participants} have finished`),
    })
    showProgress('')
    console.log(renderSummary(simulation))
    for (const hint of unsaid(simulation.definition.matching ?? {}, options.attributes)) console.log(hint)
    if (simulation.findings.some(({ breaches }) => breaches.length > 0)) process.exitCode = 1
  } finally {
    await own?.stop()
  }
}

try {
  if (process.argv.includes('--help')) console.log(usage)
  else if (asksForAgents(process.argv)) {
    if (!(await simulateWithAgents(readPilotArguments(usage)))) process.exitCode = 1
  } else await run(readArguments())
} catch (error) {
  if (!(error instanceof Misuse)) throw error
  console.error(error.message)
  process.exitCode = 2
}
