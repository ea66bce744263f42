// `npm run check`: runs all static checks at once. Prints a line for each and the output of those that failed.
// `--json <file>` also writes the results, which `npm test` counts.
import { spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

type Check = { name: string; script: string; args: string[] }
type CheckResult = { name: string; passed: boolean; ms: number; output: string }

const root = fileURLToPath(new URL('..', import.meta.url))

const checks: Check[] = [
  {
    name: 'format and lint',
    script: 'node_modules/@biomejs/biome/bin/biome',
    args: ['ci', '--error-on-warnings', '--colors=off', '.'],
  },
  { name: 'types', script: 'node_modules/typescript/bin/tsc', args: ['--noEmit', '-p', '.'] },
  {
    name: 'web app types',
    script: 'node_modules/typescript/bin/tsc',
    args: ['--noEmit', '-p', 'apps/web'],
  },
  { name: 'dead code', script: 'node_modules/knip/bin/knip.js', args: ['--no-progress'] },
  {
    name: 'boundaries',
    script: 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs',
    args: ['--config', 'dependency-cruiser.config.ts', '--output-type', 'err-long', '.'],
  },
  { name: 'timing in tests', script: 'scripts/check-timing.ts', args: [] },
  { name: 'licences', script: 'scripts/check-licences.ts', args: [] },
  { name: 'generated files', script: 'scripts/generate.ts', args: ['--check'] },
].filter(({ script }) => script !== 'scripts/generate.ts' || existsSync(join(root, script)))

async function runCheck({ name, script, args }: Check): Promise<CheckResult> {
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

const { values } = parseArgs({ options: { json: { type: 'string' } } })
const results = await Promise.all(checks.map(runCheck))
results.forEach(printResult)
if (values.json !== undefined) {
  writeFileSync(values.json, JSON.stringify(results.map(({ name, passed }) => ({ name, passed }))))
}
process.exitCode = results.every(({ passed }) => passed) ? 0 : 1
