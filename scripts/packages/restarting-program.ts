import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { watch } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

interface Program {
  args: readonly string[]
  env: NodeJS.ProcessEnv
  /** Folders whose changes it starts again for. */
  sources: readonly string[]
  announce(sentence: string): void
}

/** Editors write several files, or one several times, when somebody saves. */
const settleMs = 100
/** A server that stops waits longer for people who are connected; what it has acknowledged is stored. */
const patienceMs = 2_000

const isSource = (name: string | null): boolean =>
  name !== null &&
  /\.(?:ts|json)$/.test(name) &&
  !/(?:^|[\\/])(?:node_modules|dist|test)[\\/]|\.test\.ts$/.test(name)

/**
 * Keeps a program running on its newest sources, until this process ends. If it cannot start on them, the next change tries
 * again. Resolves once it has said for the first time where it listens.
 */
export async function keepRestarting({ args, env, sources, announce }: Program): Promise<void> {
  const listening = Promise.withResolvers<void>()

  function start(): ChildProcess {
    const child = spawn(process.execPath, [...args], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    child.stdout.once('data', () => {
      listening.resolve()
      announce('the server listens')
    })
    child.stdout.resume()
    return child
  }

  let running = start()
  let isChanged = false
  let restarting = Promise.resolve()

  async function restart(): Promise<void> {
    await delay(settleMs)
    isChanged = false
    await end(running)
    running = start()
  }

  for (const folder of sources)
    watch(folder, { recursive: true }, (_event, name) => {
      if (isChanged || !isSource(name)) return
      isChanged = true
      announce(`${name} has changed, so the server starts again`)
      restarting = restarting.then(restart)
    })
  process.once('exit', () => running.kill())
  await listening.promise
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const closed = once(child, 'close')
  child.kill()
  const killing = setTimeout(() => child.kill('SIGKILL'), patienceMs)
  await closed
  clearTimeout(killing)
}
