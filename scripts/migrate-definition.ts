// Turns a definition that an earlier version saved into one that can be saved now, and explains each change:
// `npm run migrate-definition -- study.json --write`. Without --write or --out, it writes nothing.
import { readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { limits } from '../packages/contract/src/index.ts'
import {
  checkOnSaving,
  type DefinitionChange,
  migrateDefinition,
} from '../packages/definition-checks/src/index.ts'
import { Misuse } from './study-arguments.ts'

const usage = `npm run migrate-definition -- <definition.json> [--write | --out <new file>]
Exit code: 0 if the definition can be saved, or could once the changes are written; 1 if something is left to decide; 2 if the
definition cannot be read.`

const exitCodes = { undecided: 1, misused: 2 } as const

/** Larger definitions are never accepted; this much is left for spaces. */
const maxBytes = 4 * limits.bodyBytes

function readArguments() {
  const { values, positionals } = parseCommandLine()
  const [file, ...more] = positionals
  if (file === undefined || more.length > 0) throw new Misuse(usage)
  if (values.write && values.out !== undefined) throw new Misuse(`Use --write or --out.\n${usage}`)
  return { file, output: values.write ? file : values.out }
}

function parseCommandLine() {
  const options = { write: { type: 'boolean' }, out: { type: 'string' } } as const
  try {
    return parseArgs({ options, allowPositionals: true })
  } catch (error) {
    throw new Misuse(`${(error as Error).message}\n${usage}`)
  }
}

async function readDefinition(file: string): Promise<{ text: string; definition: unknown }> {
  try {
    const { size } = await stat(file)
    if (size > maxBytes) throw new Misuse(`is larger than ${maxBytes} bytes`)
    const text = await readFile(file, 'utf8')
    return { text, definition: JSON.parse(text.replace(/^\uFEFF/, '')) }
  } catch (error) {
    throw new Misuse(`${file} cannot be read: ${(error as Error).message}`)
  }
}

/** The file is whole at any moment; a file that is there already is replaced only if it is the one that was read. */
async function write(output: string, text: string, isReplaced: boolean): Promise<void> {
  try {
    if (!isReplaced) return await writeFile(output, text, { flag: 'wx' })
    // Where it is a link, the file that it leads to; who may read it stays as it is.
    const place = await realpath(output)
    const { mode } = await stat(place)
    const whole = `${place}.${process.pid}.new`
    await writeFile(whole, text, { flag: 'wx', mode })
    await rename(whole, place).catch(async (error: unknown) => {
      await rm(whole, { force: true })
      throw error
    })
  } catch (error) {
    throw new Misuse(`${output} cannot be written: ${(error as Error).message}`)
  }
}

const indentOf = (text: string): string => /^[{[]\s*\n([ \t]+)/.exec(text.trimStart())?.[1] ?? '  '

/** What is nested deeper than can be written is refused, and shown all the same. */
function written(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'nothing'
  } catch {
    return 'what is nested too deep to be shown'
  }
}

/** A definition that somebody was sent may have names that would command the terminal. */
const printable = (line: string): string =>
  line.replace(/\p{Cc}/gu, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)

const longestShown = 120
function shown(value: unknown): string {
  const text = written(value)
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text
}

function linesOf({ path, kind, before, after, reason, effect }: DefinitionChange): string[] {
  const what = {
    removed: [`removed ${shown(before)}`],
    rewritten: [`was ${shown(before)}`, `is now ${shown(after)}`],
    undecided: [`to decide: ${shown(before)}`],
  }
  const lines = [...what[kind], reason, effect].map((line) => `  ${line}`)
  return [path || '/', ...lines].map(printable)
}

const counted = (count: number, noun: string): string => `${count} ${count === 1 ? noun : `${noun}s`}`

function summaryOf(changes: readonly DefinitionChange[], output: string | undefined): string {
  const undecided = changes.filter(({ kind }) => kind === 'undecided').length
  if (changes.length === 0) return 'Nothing has to change: this definition can be saved as it is.'
  const changed = changes.length - undecided
  const place = output === undefined ? 'not written; use --write or --out' : `written to ${output}`
  return [
    ...(changed > 0 ? [`${counted(changed, 'change')}, ${place}.`] : ['Nothing was changed.']),
    undecided > 0
      ? `${counted(undecided, 'place')} to decide. Correct them, and run this again: more may be found then.`
      : 'The new definition can be saved.',
  ].join(' ')
}

async function run(): Promise<void> {
  const { file, output } = readArguments()
  const given = await readDefinition(file)
  const { definition, changes } = migrateDefinition(given.definition)
  const isChanged = definition !== given.definition
  const text = isChanged ? `${JSON.stringify(definition, null, indentOf(given.text))}\n` : given.text
  if (output !== undefined && (isChanged || output !== file)) await write(output, text, output === file)
  for (const change of changes) console.log(`${linesOf(change).join('\n')}\n`)
  const checked = checkOnSaving(definition)
  if ('warnings' in checked)
    for (const { path, message } of checked.warnings)
      console.log(printable(`Saving will warn: ${path || '/'}: ${message}`))
  console.log(summaryOf(changes, output))
  if (changes.some(({ kind }) => kind === 'undecided')) process.exitCode = exitCodes.undecided
}

try {
  if (process.argv.includes('--help')) console.log(usage)
  else await run()
} catch (error) {
  if (!(error instanceof Misuse)) throw error
  console.error(error.message)
  process.exitCode = exitCodes.misused
}
