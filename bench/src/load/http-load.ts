import { cpuMicrosOf, cpuMicrosOfDatabases, type Round } from '../harness/measure.ts'
import { startWorker } from '../harness/worker.ts'

/** A round of requests. Lanes are used in turn, so that no session reaches its rate limit. */
export interface LoadOrder {
  address: string
  method: 'GET' | 'POST'
  path: string
  clients: number
  /** The round ends at whichever limit comes first. */
  maxMs: number
  maxRequests: number
  firstLane: number
  lanes: { headers?: Record<string, string>; body?: string }[]
  /** For lanes without their own body. */
  body?: string
  /** Returns the response bodies in the order of the lanes. For preparation, not for measuring. */
  collect: boolean
}

export interface LoadOutcome {
  requests: number
  ms: number
  latenciesMs: Float64Array
  failures: Record<string, number>
  bodies: string[]
}

export interface ServerUnderLoad {
  name: string
  pid: number
  stderr(): string
}

/** A server under load that accepts batches of events. */
export interface EventsTarget extends ServerUnderLoad {
  address: string
  eventsPath: string
  /** One lane per session. */
  lanes: LoadOrder['lanes']
  stop(): Promise<unknown>
}

export type Load = Awaited<ReturnType<typeof startLoad>>

/** HTTP load from a worker process. */
export async function startLoad() {
  const worker = startWorker<LoadOrder, LoadOutcome>(
    'load generator',
    new URL('./http-worker.ts', import.meta.url),
  )

  return {
    run: worker.run,
    /** A round, and the CPU time it cost the server. */
    async measure(order: LoadOrder, server: ServerUnderLoad): Promise<Round> {
      try {
        const before = { server: cpuMicrosOf(server.pid), databases: cpuMicrosOfDatabases() }
        const { bodies: _none, ...outcome } = await worker.run(order)
        refuseFailures(outcome.failures, order.path)
        return {
          ...outcome,
          serverCpuMicros: cpuMicrosOf(server.pid) - before.server,
          databaseCpuMicros: cpuMicrosOfDatabases() - before.databases,
        }
      } catch (error) {
        throw new Error(`load on ${server.name} failed; its stderr: ${server.stderr().slice(-2_000)}`, {
          cause: error,
        })
      }
    },
    stop: worker.stop,
  }
}

export function refuseFailures(failures: Record<string, number>, path: string): void {
  const listed = Object.entries(failures).map(([status, count]) => `${count} × ${status}`)
  if (listed.length > 0)
    throw new Error(
      `some responses were not successful, so nothing was measured: ${path} ${listed.join(', ')}`,
    )
}
