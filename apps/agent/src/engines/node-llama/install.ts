import { mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { ensurePrivateFolder, expectOwnFolder } from '../../files/index.ts'
import { Misuse } from '../../misuse.ts'
import { oneLine } from '../../one-line.ts'
import { runProgram } from '../../processes/index.ts'
import { parseJson, recordOr } from '../http/json-facts.ts'
import type { Compute } from './library.ts'

const nodeLlamaVersion = '3.22.1'
/** Hundreds of megabytes over a slow line. */
const installWithinMs = 3_600_000

interface Machine {
  platform: NodeJS.Platform
  arch: string
}

export interface InstallOptions {
  compute?: Compute
  say(text: string): void
  signal?: AbortSignal
  env?: NodeJS.ProcessEnv
}

/** The packages with the compiled part for a machine: one, except with CUDA, which was too large for one. */
export function binaryPackages(compute: Compute, { platform, arch }: Machine): string[] {
  const system = { linux: 'linux', darwin: 'mac', win32: 'win' }[platform as string]
  const suffixes: Record<string, string[]> = {
    'linux-x64': ['', '-cuda', '-vulkan'],
    'linux-arm64': [''],
    'mac-arm64': ['-metal'],
    'mac-x64': [''],
    'win-x64': ['', '-cuda', '-vulkan'],
    'win-arm64': [''],
  }
  const machine = `${system}-${arch}`
  // On Apple silicon there is one package, which has both.
  const wanted = machine === 'mac-arm64' ? '-metal' : compute === false ? '' : `-${compute}`
  if (!suffixes[machine]?.includes(wanted))
    throw new Misuse(
      `node-llama-cpp has nothing ready-made for ${platform} on ${arch}${compute === false ? '' : ` with ${compute}`}. ` +
        'Install llama-server instead, or give the address of another server.',
    )
  const name = `@node-llama-cpp/${machine}${wanted}`
  return compute === 'cuda' ? [name, `${name}-ext`] : [name]
}

/**
 * Installs node-llama-cpp below `folder` unless it is there, and returns where. npm writes into a folder of its own, which
 * is renamed when everything is there: an interrupted installation leaves nothing that looks complete.
 */
export async function installNodeLlama(folder: string, options: InstallOptions): Promise<string> {
  const { compute = false, say } = options
  const packages = ['node-llama-cpp', ...binaryPackages(compute, process)]
  const target = join(folder, `node-llama-cpp-${nodeLlamaVersion}-${compute || 'cpu'}`)
  // First: what somebody else has put there would be loaded into this process.
  await ensurePrivateFolder(folder, say)
  if ((await expectOwnFolder(target)) && (await isComplete(target, packages))) return target
  say(`Installing node-llama-cpp ${nodeLlamaVersion} (once) …`)
  await removeAbandoned(folder)
  const unfinished = await mkdtemp(join(folder, 'unfinished-'))
  try {
    await writeFile(join(unfinished, 'package.json'), '{"private":true}\n')
    await runNpm(unfinished, packages, options)
    if (!(await isComplete(unfinished, packages)))
      throw new Misuse(
        'npm did not install all of node-llama-cpp. Check its configuration, or install llama-server.',
      )
    // Another process may have been faster, and be using it by now.
    if (await isComplete(target, packages)) return target
    await rm(target, { recursive: true, force: true })
    await rename(unfinished, target).catch(async (error: unknown) => {
      if (!(await isComplete(target, packages))) throw error // Otherwise another process was faster.
    })
    return target
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
}

/** What installations that were killed have left. Others may be under way, though none for longer than an hour. */
async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith('unfinished-')) continue
    const path = join(folder, name)
    const stats = await stat(path).catch(() => undefined)
    if (stats !== undefined && Date.now() - stats.mtimeMs > 2 * installWithinMs)
      await rm(path, { recursive: true, force: true })
  }
}

async function isComplete(folder: string, packages: string[]): Promise<boolean> {
  const versions = await Promise.all(
    packages.map(async (name) => {
      const manifest = await readFile(join(folder, 'node_modules', name, 'package.json'), 'utf8').catch(
        () => '',
      )
      return recordOr(parseJson(manifest)).version
    }),
  )
  return versions.every((version) => version === nodeLlamaVersion)
}

/**
 * Without the optional packages, which have the compiled parts for every other machine, and without install scripts, which
 * would compile llama.cpp.
 */
async function runNpm(
  folder: string,
  packages: string[],
  { signal, env = process.env }: InstallOptions,
): Promise<void> {
  const args = [
    'install',
    ...packages.map((name) => `${name}@${nodeLlamaVersion}`),
    ...['--omit=optional', '--omit=peer', '--omit=dev', '--ignore-scripts'],
    ...['--no-audit', '--no-fund', '--no-package-lock', '--workspaces=false', '--loglevel=error'],
  ]
  const [command, ...first] = npmCommand(env)
  const end = await runProgram(command, [...first, ...args], {
    cwd: folder,
    env,
    signal,
    timeoutMs: installWithinMs,
    shell: command.endsWith('.cmd'), // Windows starts such files only through a shell; no argument comes from outside.
  })
  signal?.throwIfAborted()
  if (end.kind === 'missing')
    throw new Misuse(
      'node-llama-cpp is installed with npm, which is not on this machine. Install Node.js with npm, or llama-server.',
    )
  if (end.kind === 'timeout' || end.code !== 0)
    throw new Misuse(
      `npm could not install node-llama-cpp: ${end.kind === 'timeout' ? 'it did not end.' : oneLine(end.stderr)} Check the connection and the disk space, then start again.`,
    )
}

/** The npm that started us, if one did: it belongs to this Node, whatever the PATH says. */
function npmCommand(env: NodeJS.ProcessEnv): [string, ...string[]] {
  const script = env.npm_execpath
  if (script !== undefined && basename(script) === 'npm-cli.js') return [process.execPath, script]
  return [process.platform === 'win32' ? 'npm.cmd' : 'npm']
}
