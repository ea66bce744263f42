// Downloads data: `npm run export -- exp_… --table events --format csv`. Run again after an interruption, it continues.
import { parseArgs } from 'node:util'
import { ApiRefused, createDataClient, NoAnswer } from '@atrium/client/node'
import { exportFormats } from '../packages/contract/src/index.ts'
import { downloadTo } from './export/download.ts'
import { platformAddress } from './platform-address.ts'
import { Misuse } from './study-arguments.ts'

const usage = `npm run export -- <experiment id> [--table events] [--format csv|jsonl|parquet|psych-ds]
  [--output file] [--server http://…]
  [--from 2026-03-01] [--to …] [--revision 1] [--status completed|open] [--synthetic true]
Without --table, it downloads events; --format psych-ds has all tables, and takes no --table. The API key (atk_…, with read
access) is read from ATRIUM_KEY.`

/** A stopped program ends with 128 + the number of the signal. */
const exitCodes = { failed: 1, misused: 2 } as const

function readArguments() {
  const { values, positionals } = parseCommandLine()
  const { server, output, format = 'csv', ...query } = values
  const [experimentId, ...more] = positionals
  const key = process.env.ATRIUM_KEY
  if (experimentId === undefined || more.length > 0) throw new Misuse(usage)
  if (key === undefined || key === '') throw new Misuse(`ATRIUM_KEY is not set.\n${usage}`)
  if (!isFormat(format)) throw new Misuse(`There is no format ${format}.\n${usage}`)
  const name = format === 'psych-ds' ? 'psych-ds' : (query.table ?? 'events')
  return {
    experimentId,
    key,
    baseUrl: platformAddress(server, process.env),
    // The platform checks the values, and says what is wrong with them.
    query: { ...query, format } as Parameters<typeof downloadTo>[0]['query'],
    output: output ?? `${experimentId}-${name}.${exportFormats[format].ending}`,
  }
}

const isFormat = (format: string): format is keyof typeof exportFormats =>
  Object.hasOwn(exportFormats, format)

function parseCommandLine() {
  const text = { type: 'string' } as const
  const filters = { from: text, to: text, revision: text, status: text, synthetic: text }
  try {
    return parseArgs({
      allowPositionals: true,
      options: { server: text, output: text, format: text, table: text, ...filters },
    })
  } catch (error) {
    throw new Misuse(`${(error as Error).message}\n${usage}`)
  }
}

/** Overwrites a single line; prints nothing to a file, where each update would be a new line. */
function showProgress(bytes: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${(bytes / 1_000_000).toFixed(1)} MB`)
}

/** What happened, in one sentence, and what to do; undefined for an error of our own. */
function explain(error: unknown): string | undefined {
  if (error instanceof NoAnswer)
    return `The platform does not respond (${error.message}). Run the same command again to continue.`
  if (error instanceof ApiRefused) return `The platform refused the export: ${error.message} (${error.code})`
  return error instanceof Misuse ? error.message : undefined
}

try {
  if (process.argv.includes('--help')) console.log(usage)
  else {
    const { output, baseUrl, key, ...wanted } = readArguments()
    const client = createDataClient({ baseUrl, key })
    const { bytes, continuedAt } = await downloadTo({ client, output, ...wanted, onProgress: showProgress })
    if (process.stderr.isTTY) process.stderr.write('\n')
    const note = continuedAt > 0 ? `, continued at ${continuedAt}` : ''
    console.log(`${output}: ${bytes} bytes${note}`)
  }
} catch (error) {
  const sentence = explain(error)
  if (sentence === undefined) throw error
  console.error(sentence)
  process.exitCode = error instanceof Misuse ? exitCodes.misused : exitCodes.failed
}
