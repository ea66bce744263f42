// How long would people wait, and how many would find a group? `npm run dry-run -- study.json --per-minute 3` runs
// simulated people through the matching of a definition, without a server.
import { readFile } from 'node:fs/promises'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { AppError } from '../apps/server/src/kernel/app-error.ts'
import { parseDefinition } from '../apps/server/src/modules/experiments/parse-definition.ts'
import { matchingSettingsOf, simulateMatching } from '../apps/server/src/modules/matching/index.ts'
import { type DryRun, type DryRunArrivals, stageOf } from '../packages/contract/src/index.ts'
import { attributesIn, definitionFile, Misuse, positive, unsaid, weightsIn } from './study-arguments.ts'

const usage = `npm run dry-run -- <definition.json or example> [--people 200] [--per-minute 6] [--pattern poisson|even|all_at_once]
  [--leave-after <mean seconds>] [--attribute age=17:1,30:3]
  [--variable opinion=for:2,against:1] [--roles buyer:2,seller:1] [--seed 7]`

const options = {
  people: { type: 'string', default: '200' },
  'per-minute': { type: 'string', default: '6' },
  pattern: { type: 'string', default: 'poisson' },
  'leave-after': { type: 'string' },
  attribute: { type: 'string', multiple: true, default: [] },
  variable: { type: 'string', multiple: true, default: [] },
  roles: { type: 'string' },
  seed: { type: 'string', default: '7' },
} as const satisfies ParseArgsConfig['options']

const patterns = ['poisson', 'even', 'all_at_once'] as const
const maxPeople = 20_000

function readArguments() {
  const { values, positionals } = parseCommandLine()
  const [file, ...more] = positionals
  if (file === undefined || more.length > 0) throw new Misuse(usage)
  const pattern = patterns.find((known) => known === values.pattern)
  if (!pattern) throw new Misuse(`--pattern must be one of ${patterns.join(', ')}`)
  const leaveAfter = values['leave-after']
  const arrivals: DryRunArrivals = {
    people: Math.trunc(positive('--people', values.people, maxPeople)),
    perMinute: positive('--per-minute', values['per-minute'], 100_000),
    pattern,
    attributes: attributesIn(values.attribute),
    variables: attributesIn(values.variable),
    ...(values.roles === undefined ? {} : { roles: weightsIn('--roles', values.roles) }),
    ...(leaveAfter === undefined
      ? {}
      : { leaveAfterMs: 1_000 * positive('--leave-after', leaveAfter, 86_400) }),
  }
  return { file, arrivals, seed: values.seed }
}

function parseCommandLine() {
  try {
    return parseArgs({ options, allowPositionals: true })
  } catch (error) {
    throw new Misuse(`${(error as Error).message}\n${usage}`)
  }
}

async function readDefinition(name: string) {
  const file = definitionFile(name) ?? name
  try {
    return stageOf(parseDefinition(JSON.parse(await readFile(file, 'utf8'))).definition, null)
  } catch (error) {
    if (!(error instanceof AppError)) throw new Misuse(`${file} cannot be read: ${(error as Error).message}`)
    const { issues = [] } = error.details as { issues?: { path: string; message: string }[] }
    throw new Misuse(issues.map(({ path, message }) => `${path}: ${message}`).join('\n'))
  }
}

const span = (ms: number): string => {
  const seconds = Math.round(ms / 1_000)
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}
const share = (part: number, whole: number): string =>
  `${part} (${whole === 0 ? 0 : Math.round((100 * part) / whole)} %)`

function summary({
  people,
  groups,
  groupSizes,
  waitMs,
  histogram,
  durationMs,
  stoppedEarly,
  parts,
  firstCome,
}: DryRun): string[] {
  const { arrived } = people
  const sizes = groupSizes.map((size) => `${size.groups} of ${size.people}`).join(', ')
  return [
    `${arrived} people in ${span(durationMs)}`,
    `  matched        ${share(people.matched, arrived)}`,
    `  no group       ${share(people.endedByDeadline, arrived)} ended at the deadline`,
    `  screened out   ${share(people.screenedOut, arrived)}`,
    `  left           ${share(people.left, arrived)}`,
    `  still waiting  ${share(people.stillWaiting, arrived)}`,
    `${groups.total} groups: ${groups.full} full, ${groups.short} short, ${groups.withAgents} with agents${sizes ? ` (people: ${sizes})` : ''}`,
    ...parts.map(
      ({ when, count, people, shortShare }) =>
        `  ${count} × ${when}: ${people} people fit; too few of them ${Math.round(100 * shortShare)} % of the time in which anybody waited`,
    ),
    ...(waitMs
      ? [
          `Waiting times of matched people: median ${span(waitMs.p50)}, 90th percentile ${span(waitMs.p90)}, 99th percentile ${span(waitMs.p99)}, maximum ${span(waitMs.max)}`,
          ...histogramLines(histogram),
        ]
      : []),
    ...(firstCome?.waitMs
      ? [
          `In order of arrival alone: ${firstCome.matched} matched, median ${span(firstCome.waitMs.p50)}, maximum ${span(firstCome.waitMs.max)}`,
        ]
      : []),
    ...(stoppedEarly
      ? ['Stopped early: the queue keeps growing, because these settings cannot match the people in it.']
      : []),
  ]
}

const barWidth = 40

function histogramLines(histogram: DryRun['histogram']): string[] {
  const max = Math.max(...histogram.map(({ people }) => people))
  const labels = histogram.map(({ toMs }) => `up to ${span(toMs)}`)
  const width = Math.max(...labels.map(({ length }) => length))
  return histogram.map(
    ({ people }, index) =>
      `  ${(labels[index] ?? '').padEnd(width)} ${'█'.repeat(Math.ceil((barWidth * people) / max))} ${people}`,
  )
}

async function run(): Promise<void> {
  const { file, arrivals, seed } = readArguments()
  const settings = matchingSettingsOf(await readDefinition(file))
  const result = simulateMatching({ settings, arrivals, seed })
  console.log(
    [...summary(result), ...unsaid(settings, { ...arrivals.attributes, ...arrivals.variables })].join('\n'),
  )
}

try {
  if (process.argv.includes('--help')) console.log(usage)
  else await run()
} catch (error) {
  if (!(error instanceof Misuse)) throw error
  console.error(error.message)
  process.exitCode = 1
}
