// Turns a definition that an earlier version saved into one that can be saved now, and explains each change:
// `npm run migrate-definition -- study.json --write`. Without --write or --out, it writes nothing.
import { readFile, rename, stat, writeFile } from 'node:fs/promises'
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
    await writeFile(`${output}.new`, text)
    await rename(`${output}.new`, output)
  } catch (error) {
    throw new Misuse(`${output} cannot be written: ${(error as Error).message}`)
  }
}

const indentOf = (text: string): string => /^[{[]\s*\n([ \t]+)/.exec(text.trimStart())?.[1] ?? '  '

const longestShown = 120
function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text
}

function linesOf({ path, kind, before, after, reason, effect }: DefinitionChange): string[] {
  const what = {
    removed: `removed ${shown(before)}`,
    rewritten: `was ${shown(before)}\n  is now ${shown(after)}`,
    undecided: `to decide: ${shown(before)}`,
  }
  return [path || '/', `  ${what[kind]}`, `  ${reason}`, `  ${effect}`]
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
      console.log(`Saving will warn: ${path || '/'}: ${message}`)
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
