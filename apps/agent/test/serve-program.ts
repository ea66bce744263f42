import { type ChildProcess, spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { nodeLlamaFolder, testCacheHome, writeTinyModel } from './node-llama-folder.ts'

/** The tool itself, as operators start it. */
export const agentEntry = fileURLToPath(new URL('../src/entry/atrium-agent.ts', import.meta.url))

export interface ServeProgram {
  /** What it printed when it was ready. */
  ready: { baseUrl: string; apiKey: string; model: string; parallel: number; engine: string }
  env: NodeJS.ProcessEnv
  child: ChildProcess
  /** Its exit code. */
  ended: Promise<number>
}

interface ServeProgramOptions {
  /** Keeps the model and the key. */
  home: string
  contextTokens: number
  flags?: readonly string[]
}

/** `serve` with llama.cpp, the tiny model and one thread, on a free port. */
export async function startServe({
  home,
  contextTokens,
  flags = [],
}: ServeProgramOptions): Promise<ServeProgram> {
  await nodeLlamaFolder()
  const model = writeTinyModel(home, { contextLength: contextTokens })
  const env = { PATH: process.env.PATH, HOME: home, XDG_CACHE_HOME: testCacheHome }
  const usual = ['--engine', 'node-llama-cpp', '--cpu', '--threads', '1', '--port', '0', '--json']
  const child = spawn(
    process.execPath,
    [agentEntry, 'serve', '--model', model, '--ctx', String(contextTokens), ...usual, ...flags],
    { env, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const ended = new Promise<number>((resolve) => child.once('close', (code) => resolve(code ?? -1)))
  const complaints = text(child.stderr)
  const line = await Promise.race([firstLine(child), complaints])
  return { ready: JSON.parse(line) as ServeProgram['ready'], env, child, ended }
}

const firstLine = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => {
    let line = ''
    child.stdout?.setEncoding('utf8').on('data', (piece: string) => {
      line += piece
      if (line.includes('\n')) resolve(line)
    })
  })
