import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { createTemporaryFolder, waitUntil } from '@atrium/testkit'
import type { Io } from '../../cli/io.ts'
import type { Engine } from '../../engines/engine.ts'
import type { Gpu, Hardware } from '../../hardware/index.ts'
import { runServe, type ServeDeps } from '../serve.ts'

const gibibyte = 1_073_741_824

export const l4: Gpu = {
  name: 'NVIDIA L4',
  vendor: 'nvidia',
  memoryBytes: 23_034 * 1_048_576,
  isUnified: false,
}

/** A home folder, a machine, and an engine and front that only say what they were asked to do. */
export function createServeWorld(gpus: Gpu[] = [l4]) {
  const home = createTemporaryFolder('agent-serve')
  const stop = new AbortController()
  const written = { stdout: '', stderr: '' }
  const log: unknown[] = []
  const stdin = new PassThrough()
  const hardware: Hardware = {
    platform: process.platform,
    arch: process.arch,
    gpus,
    ramBytes: 32 * gibibyte,
    ramAvailableBytes: 30 * gibibyte,
    cores: 8,
    warnings: [],
  }
  let loseEngine: (why: string) => void = () => undefined
  const deps: ServeDeps = {
    detect: async () => hardware,
    buildFor: () => undefined,
    async installNodeLlama(folder, { compute }) {
      const path = join(folder, `node-llama-cpp-1.2.3-${compute || 'cpu'}`)
      await mkdir(path, { recursive: true })
      log.push({ installed: path })
      return path
    },
    async openEngine(choice, { say: _, signal: __, env: ___, ...options }) {
      log.push({ opened: choice, ...options })
      const engine: Partial<Engine> = {
        model: choice.model ?? 'the only one',
        contextTokens: options.contextTokens,
        parallel: options.parallel,
        lost: new Promise((resolve) => {
          loseEngine = resolve
        }),
        stop: async () => void log.push('engine stopped'),
      }
      return engine as Engine
    },
    async startFront({ engine: _, log: __, ...options }) {
      log.push({ started: options })
      return {
        address: `http://${options.host}:${options.port}`,
        stop: async () => void log.push('front stopped'),
      }
    },
  }
  const output = (name: keyof typeof written) => ({
    write(text: string) {
      written[name] += text
    },
  })
  const io: Io = {
    stdout: output('stdout'),
    stderr: output('stderr'),
    env: { HOME: home.path, PATH: join(home.path, 'bin') },
    signal: stop.signal,
    isTerminal: false,
    stdin,
  }
  const serve = (...args: string[]) => runServe(args, io, deps)
  return {
    home: home.path,
    io,
    deps,
    hardware,
    log,
    written,
    stdin,
    stop: () => stop.abort(new Error('stopped by SIGINT')),
    loseEngine: (why: string) => loseEngine(why),
    serve,
    /** Serves, stops with Ctrl-C once it is ready, and returns the exit code. */
    async tried(...args: string[]): Promise<number> {
      const ended = serve(...args)
      const failure = ended.then(
        () => 'ended before it was ready',
        (error: Error) => error,
      )
      await waitUntil(async () => {
        if (written.stdout.includes('baseUrl')) return true
        const settled = await Promise.race([failure, 'running'])
        if (settled instanceof Error) throw settled
        return settled
      })
      stop.abort(new Error('stopped by SIGINT'))
      return ended
    },
    /** A program that answers like llama-server when it is asked about itself. */
    async addLlamaServer(folder: string, says = 'version: 11160', code = 0): Promise<string> {
      const path = join(home.path, folder, 'llama-server')
      await mkdir(join(home.path, folder), { recursive: true })
      await writeFile(path, `#!/bin/sh\necho '${says}'\nexit ${code}\n`)
      await chmod(path, 0o755)
      return path
    },
    async addModel(bytes: Buffer, name = 'tiny.gguf'): Promise<string> {
      await writeFile(join(home.path, name), bytes)
      return join(home.path, name)
    },
    remove: home.remove,
  }
}
