import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { cpuMicrosOf, cpuMicrosOfDatabases, type Round } from '../harness/measure.ts'

/** What the load generator is told to do. Lanes are used in turn, so that no session meets its rate limit. */
export interface LoadOrder {
  address: string
  method: 'GET' | 'POST'
  path: string
  clients: number
  /** Ends the round, whichever comes first. */
  longestMs: number
  mostRequests: number
  firstLane: number
  lanes: { headers?: Record<string, string>; body?: string }[]
  /** For lanes without a body of their own. */
  body?: string
  /** Sends the answers' bodies back, in the order of the lanes: for preparations, not for measuring. */
  collect: boolean
}

export interface LoadOutcome {
  requests: number
  ms: number
  latenciesMs: Float64Array
  failures: Record<string, number>
  bodies: string[]
}

export type LoadReply = { ok: true; outcome: LoadOutcome } | { ok: false; message: string }

export interface ServerUnderLoad {
  name: string
  pid: number
  stderr(): string
}

export type Load = Awaited<ReturnType<typeof startLoad>>

const program = fileURLToPath(new URL('./http-worker.ts', import.meta.url))

/** The load generator has a process of its own, so that its work is never counted as the server's. */
export async function startLoad() {
  const child = fork(program, { serialization: 'advanced', stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const ended = once(child, 'exit')
  const lost = ended.then((): never => {
    throw new Error('the load generator ended in the middle of a round')
  })
  lost.catch(() => undefined) // It also ends when we are done; then nobody waits for this.

  async function run(order: LoadOrder): Promise<LoadOutcome> {
    const answered = once(child, 'message') as Promise<[LoadReply]>
    child.send(order)
    const [reply] = await Promise.race([answered, lost])
    if (!reply.ok) throw new Error(`the load generator failed: ${reply.message}`)
    return reply.outcome
  }

  return {
    run,
    /** A round with the processor time that it cost the server. */
    async measure(order: LoadOrder, server: ServerUnderLoad): Promise<Round> {
      try {
        const before = { server: cpuMicrosOf(server.pid), databases: cpuMicrosOfDatabases() }
        const { bodies: _none, ...outcome } = await run(order)
        refuseFailures(outcome.failures, order.path)
        return {
          ...outcome,
          serverCpuMicros: cpuMicrosOf(server.pid) - before.server,
          databaseCpuMicros: cpuMicrosOfDatabases() - before.databases,
        }
      } catch (error) {
        throw new Error(`load on ${server.name} failed; it said: ${server.stderr().slice(-2_000)}`, {
          cause: error,
        })
      }
    },
    async stop(): Promise<void> {
      child.disconnect()
      await ended
    },
  }
}

export function refuseFailures(failures: Record<string, number>, path: string): void {
  const listed = Object.entries(failures).map(([status, count]) => `${count} × ${status}`)
  if (listed.length > 0)
    throw new Error(`answers that are not a success, so nothing was measured: ${path} ${listed.join(', ')}`)
}
