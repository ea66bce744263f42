// Runs the shell blocks of a page as one script, so that later blocks can use what earlier ones set.
import { spawn } from 'node:child_process'
import { readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Block } from './docs-blocks.ts'
import { listens, notRun, shortened } from './docs-commands.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const marker = '::block '

// Stops all processes of a job at once, like Ctrl-C, because npm does not forward signals to what it started.
const prelude = `set -euo pipefail
job=
stop_job() { [ -z "$job" ] || kill -TERM -- "-$job"; }
trap stop_job EXIT
until_it_listens() {
  set -m
  PORT=0 METRICS_PORT=0 "$@" >listening.txt 2>listening-errors.txt &
  job=$!
  set +m
  until grep -q '"event":"listening"' listening.txt; do
    kill -0 "$job" 2>/dev/null || { job=; cat listening-errors.txt >&2; return 1; }
    sleep 0.1
  done
  stop_job
  while kill -0 -- "-$job" 2>/dev/null; do sleep 0.1; done
  job=
  cat listening.txt
}
`

/** Links the repository into a temporary folder, where a reader’s commands work as they would here. */
export function furnish(folder: string): void {
  for (const name of readdirSync(root))
    if (name !== 'data' && name !== '.git') symlinkSync(join(root, name), join(folder, name))
}

/** Where a reader’s commands find the platform. */
export const environmentOf = (address: string): Record<string, string> => ({
  PATH: `${join(root, 'node_modules', '.bin')}:${process.env.PATH}`,
  HOME: process.env.HOME ?? '',
  PORT: new URL(address).port,
})

function scriptOf(blocks: Block[]): string {
  const parts = blocks.map(
    ({ line, text }) => `echo; echo '${marker}${line}'\n${text.replace(ours, adapted)}`,
  )
  return [prelude, ...parts].join('\n')
}

/** One of our commands at the start of a line, including continuation lines. */
const ours = /^(?:npm|npx|node_modules\/\.bin\/node) (?:\\\n|[^\n])*/gm

function adapted(written: string): string {
  const command = withoutComment(written)
  const [, more = ''] = Object.entries(shortened).find(([start]) => command.startsWith(start)) ?? []
  if (command in notRun) return 'true'
  if (listens.includes(command)) return `until_it_listens ${command}`
  return `${command} ${more}`
}

/** Our commands in a block. */
export const commandsIn = (text: string): string[] => (text.match(ours) ?? []).map(withoutComment)

const withoutComment = (written: string): string =>
  written
    .replaceAll('\\\n', ' ')
    .replace(/\s+#.*$/, '')
    .trim()

/** Returns the output of each block by its line, or throws an error that names the block that failed. */
export async function runBlocks(blocks: Block[], folder: string, env: Record<string, string>) {
  const bash = spawn('bash', ['-c', scriptOf(blocks)], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exit = new Promise<number | null>((resolve) => bash.on('close', resolve))
  const [stdout, stderr, code] = await Promise.all([text(bash.stdout), text(bash.stderr), exit])
  const outputs = new Map(
    stdout
      .split(`\n${marker}`)
      .slice(1)
      .map((part) => [Number.parseInt(part, 10), part.slice(part.indexOf('\n') + 1)] as const),
  )
  if (code !== 0) {
    const [line, output = ''] = [...outputs].at(-1) ?? []
    throw new Error(`${blocks[0]?.page}:${line} ended with ${code}:\n${output}\n${stderr}`)
  }
  return outputs
}
