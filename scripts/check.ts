// `npm run check`: runs all static checks at once. Prints a line for each and the output of those that failed.
// `--changed`: only those that what was changed since main can fail, on these files where that is enough; without dead code,
// for which everything must be read. `--json <file>` also writes the results, which `npm test` counts.
import { execFileSync, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

type Check = {
  name: string
  script: string
  args: readonly string[]
  /** Further arguments if everything is to be checked. */
  inAll?: readonly string[]
  /** Further arguments with `--changed`, or undefined if these files cannot fail it. */
  inChanged(files: readonly string[]): readonly string[] | undefined
}
type Command = Pick<Check, 'name' | 'script' | 'args'>
type CheckResult = { name: string; passed: boolean; ms: number; output: string }

const root = fileURLToPath(new URL('..', import.meta.url))

const cache = 'node_modules/.cache'
const isOfPages = (file: string): boolean => /^(?:apps\/web|packages)\//.test(file)
const isCode = (file: string): boolean => /\.(?:m?ts|tsx|mjs)$/.test(file)
const onlyIf = (isConcerned: boolean): string[] | undefined => (isConcerned ? [] : undefined)

/**
 * The first run of a checkout takes as long as without `--incremental`; later ones read again only what has changed. One
 * checker each, beside the other checks: four work out the types of the contract four times, for 52 s of CPU instead of 28.
 */
const types = (project: string, name: string): string[] => [
  ...['--noEmit', '-p', project, '--incremental', '--checkers', '1'],
  ...['--tsBuildInfoFile', join(root, cache, `${name}.tsbuildinfo`)],
]

const checks: Check[] = [
  {
    name: 'format and lint',
    script: 'node_modules/@biomejs/biome/bin/biome',
    args: ['ci', '--error-on-warnings', '--colors=off', '--no-errors-on-unmatched'],
    inAll: ['.'],
    inChanged: (files) => files,
  },
  {
    name: 'types',
    script: 'node_modules/typescript/bin/tsc',
    args: types('.', 'types'),
    inChanged: (files) => onlyIf(files.some(isCode)),
  },
  {
    name: 'web app types',
    script: 'node_modules/typescript/bin/tsc',
    args: types('apps/web', 'web-types'),
    inChanged: (files) => onlyIf(files.some((file) => isCode(file) && isOfPages(file))),
  },
  {
    name: 'dead code',
    script: 'node_modules/knip/bin/knip.js',
    args: ['--no-progress'],
    inChanged: () => undefined,
  },
  {
    name: 'boundaries',
    script: 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs',
    args: ['--config', 'dependency-cruiser.config.ts', '--output-type', 'err-long'],
    inAll: ['.'],
    inChanged: (files) => (files.some(isCode) ? files.filter(isCode) : undefined),
  },
  { name: 'timing in tests', script: 'scripts/check-timing.ts', args: [], inChanged: () => [] },
  {
    name: 'licences',
    script: 'scripts/check-licences.ts',
    args: [],
    inChanged: (files) => onlyIf(files.includes('package-lock.json')),
  },
  {
    name: 'generated files',
    script: 'scripts/generate.ts',
    args: ['--check'],
    inChanged: (files) =>
      onlyIf(files.some((file) => /^(?:packages|apps|deploy|docs\/reference|scripts\/generate)/.test(file))),
  },
]

/** What differs from main, also what is not committed yet; files that are gone cannot be wrong. */
function changedFiles(): string[] {
  const git = (...args: string[]): string[] =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)
  const [base = 'HEAD'] = git('merge-base', 'HEAD', 'main')
  const files = [
    ...git('diff', '--name-only', '--diff-filter=d', base),
    ...git('ls-files', '--others', '--exclude-standard'),
  ]
  return [...new Set(files)]
}

async function runCheck({ name, script, args }: Command): Promise<CheckResult> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, [join(root, script), ...args], {
    cwd: root,
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exitCode = new Promise<number | null>((resolve) => child.on('close', resolve))
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), exitCode])
  const ms = Math.round(performance.now() - startedAt)
  return { name, passed: code === 0, ms, output: `${stdout}${stderr}`.trim() }
}

function printResult({ name, passed, ms, output }: CheckResult): void {
  console.log(`${passed ? 'ok    ' : 'FAILED'}  ${name.padEnd(16)} ${(ms / 1000).toFixed(1)} s`)
  if (!passed) console.log(`\n${output}\n`)
}

/** What is run if everything, or only these files, are to be checked. */
export const commandsFor = (changed?: readonly string[]): Command[] =>
  checks.flatMap(({ name, script, args, inAll = [], inChanged }) => {
    const further = changed ? inChanged(changed) : inAll
    return further ? [{ name, script, args: [...args, ...further] }] : []
  })

if (import.meta.main) {
  const { values } = parseArgs({
    options: { json: { type: 'string' }, changed: { type: 'boolean', default: false } },
  })
  const changed = values.changed ? changedFiles() : undefined
  if (changed?.length === 0) console.log('Nothing differs from main.')
  const results = await Promise.all(changed?.length === 0 ? [] : commandsFor(changed).map(runCheck))
  results.forEach(printResult)
  if (values.json !== undefined) {
    writeFileSync(values.json, JSON.stringify(results.map(({ name, passed }) => ({ name, passed }))))
  }
  process.exitCode = results.every(({ passed }) => passed) ? 0 : 1
}
