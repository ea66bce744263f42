import {
  type CheckOptions,
  type CheckProgress,
  type CheckReport,
  checkDefaults,
  checkModelServer,
  parseBaseUrl,
} from '@atrium/model-checks'
import { invocation } from '../cli/environment.ts'
import { readFlags, readWholeNumber } from '../cli/flags.ts'
import { exitCodes, type Io, sayTo } from '../cli/io.ts'
import { createProgress } from '../cli/progress.ts'
import { formatTable } from '../cli/table.ts'
import { userFolders } from '../files/index.ts'
import { readAddress, readKey } from '../keys/index.ts'
import { Misuse } from '../misuse.ts'

const keyVariable = 'ATRIUM_AGENT_API_KEY'

const help = (tool: string) => `Usage: ${tool} verify [--base-url <url> --api-key <key>] [flags]

Checks that a model server keeps Atrium's contract: it is reachable, rejects wrong keys, answers with calls of the
tool “respond”, and does so for several requests at the same time. Then it looks at what else can go wrong; that only
warns. Sends about sixty short requests and one long one; on a slow server that takes minutes.

  --base-url <url>   address of the API; ends in /v1 (default: where serve is running on this machine)
  --api-key <key>    key of the server (default: for that address, the key of serve). Other users of this machine can
                     see it in the list of processes; to avoid that, set ${keyVariable} instead
  --model <name>     model to ask for (default: the first one that the server lists)
  --parallel <n>     requests at the same time, 1 to 64 (default: ${checkDefaults.parallel})
  --ctx <tokens>     context of the server; a longer prompt must be refused (default: ${checkDefaults.contextTokens})
  --quick            only the four checks that decide
  --json             print the report as JSON

Exit codes: 0 the server meets the contract (there may be warnings), 1 it does not,
2 the command was used wrongly, 130 stopped.
`

const options = {
  'base-url': { type: 'string' },
  'api-key': { type: 'string' },
  model: { type: 'string' },
  parallel: { type: 'string' },
  ctx: { type: 'string' },
  quick: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const

async function readArguments(args: string[], io: Io) {
  const flags = readFlags('verify', args, options, io.env)
  if (flags.help) return undefined
  const { config } = userFolders(io.env)
  const served = await readAddress(config)
  const baseUrl = flags['base-url'] ?? served
  if (baseUrl === undefined)
    throw new Misuse(
      `verify needs the address of the server, because serve is not running on this machine. Start it in another terminal (${invocation(io.env)} serve), or name a server: --base-url http://127.0.0.1:8080/v1`,
    )
  const parsed = parseBaseUrl(baseUrl)
  if (parsed.kind === 'invalid') throw new Misuse(parsed.because)
  // The key of our own server goes to our own server only.
  const isServed = parsed.url === served
  const apiKey =
    flags['api-key'] ?? (io.env[keyVariable] || (isServed ? await readKey(config, sayTo(io)) : undefined))
  if (apiKey === undefined)
    throw new Misuse(
      `verify needs the key of the server: --api-key <key>, or ${keyVariable} in the environment.`,
    )
  const { parallel = String(checkDefaults.parallel), ctx = String(checkDefaults.contextTokens) } = flags
  return {
    baseUrl,
    apiKey,
    model: flags.model,
    parallel: readWholeNumber('parallel', parallel, 1, 64),
    contextTokens: readWholeNumber('ctx', ctx, 256, 1_000_000),
    further: !flags.quick,
    isJson: flags.json,
  }
}

/** `outside` replaces the network and the clock in tests. */
export async function runVerify(
  args: string[],
  io: Io,
  outside: Pick<CheckOptions, 'fetch' | 'clock'> = {},
): Promise<number> {
  const given = await readArguments(args, io)
  if (given === undefined) {
    io.stdout.write(help(invocation(io.env)))
    return exitCodes.ok
  }
  const { isJson, ...checkOptions } = given
  const progress = createProgress(io)
  const onProgress = ({ check, done, total }: CheckProgress) =>
    progress.show(`Checking ${check} …`, total === 1 ? '' : `${done} of ${total}`)
  const report = await checkModelServer({
    ...checkOptions,
    ...outside,
    signal: io.signal,
    onProgress,
  }).finally(progress.clear)
  io.stdout.write(
    isJson
      ? `${JSON.stringify({ baseUrl: given.baseUrl, ...report }, undefined, 2)}\n`
      : formatReport(report, io.stdout.columns),
  )
  return report.ok ? exitCodes.ok : exitCodes.failed
}

/** For people: one row for each check, then one sentence that sums it up. */
function formatReport(report: CheckReport, columns: number | undefined): string {
  const rows: string[][] = []
  for (const { name, ok, message, warning } of report.checks) {
    rows.push([ok ? 'ok' : 'FAILED', name, message])
    if (warning !== undefined) rows.push(['warning', '', warning])
  }
  for (const name of report.notRun) rows.push(['not run', name, 'depends on a check that failed'])
  for (const { name, ok, message } of report.further) rows.push([ok ? 'ok' : 'warning', name, message])
  return `${formatTable(rows, columns)}\n\n${summaryOf(report)}\n`
}

function summaryOf({ ok, checks, further, notRun }: CheckReport): string {
  const failed = checks.filter((check) => !check.ok).map(({ name }) => name)
  if (!ok) {
    const rest = notRun.length === 0 ? '' : ` ${notRun.join(', ')} could not be checked.`
    return `The server does not meet the contract: ${failed.join(', ')} failed.${rest}`
  }
  const warnings = [
    ...checks.flatMap(({ warning }) => warning ?? []),
    ...further.filter((check) => !check.ok),
  ]
  if (warnings.length === 0) return 'The server meets the contract.'
  const count = warnings.length === 1 ? 'is 1 warning' : `are ${warnings.length} warnings`
  return `The server passes the four checks. There ${count}; see above.`
}
