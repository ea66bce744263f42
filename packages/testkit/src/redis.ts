import { once } from 'node:events'
import { connect } from 'node:net'
import { onFreePort } from './free-port.ts'
import { findProgram, type Program, startProgram } from './program.ts'
import { createTemporaryFolder } from './temporary-folder.ts'
import { waitUntil } from './wait.ts'

export type Redis = {
  readonly url: string
  stop(): Promise<void>
  /** Sends SIGKILL. The data are lost, because nothing is kept on disk. */
  kill(): Promise<void>
  /** Connections stay open but get no response. */
  pause(): void
  resume(): void
  /** With the same port, but empty; also after `kill()`. */
  restart(): Promise<void>
}

/** A real, throw-away Redis without persistence, on a free loopback port. */
export async function startRedis(): Promise<Redis> {
  const folder = createTemporaryFolder('redis')
  try {
    let { program, port } = await onFreePort(async (port) => ({
      port,
      program: await launch(port, folder.path),
    }))
    return {
      url: `redis://127.0.0.1:${port}`,
      async stop() {
        try {
          await program.end('SIGTERM')
        } finally {
          folder.remove()
        }
      },
      kill: () => program.kill(),
      pause: () => program.pause(),
      resume: () => program.resume(),
      async restart() {
        await program.end('SIGTERM')
        program = await launch(port, folder.path)
      },
    }
  } catch (error) {
    folder.remove()
    throw error
  }
}

async function launch(port: number, folder: string): Promise<Program> {
  const settings = { port, bind: '127.0.0.1', dir: folder, save: '', appendonly: 'no' }
  const args = Object.entries(settings).flatMap(([key, value]) => [`--${key}`, String(value)])
  const env = { PATH: process.env.PATH ?? '' }
  const program = startProgram(findProgram('redis-server'), { args, cwd: folder, env })
  await waitUntil(() => program.hasExited() || respondsToPing(port)).catch(() => program.kill())
  if (program.hasExited()) throw new Error(`Redis did not start: ${program.stdout()}`)
  return program
}

async function respondsToPing(port: number): Promise<true | string> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    socket.write('PING\r\n')
    const [reply] = await once(socket, 'data')
    return String(reply).startsWith('+PONG') || `it responded ${reply}`
  } finally {
    socket.destroy()
  }
}
