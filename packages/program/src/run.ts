import type { Server } from 'node:net'
import { addressOf } from './address.ts'
import { ConfigError, usingKey } from './config-error.ts'
import type { Logger } from './logger.ts'
import { listenForScrapes, type Scraped } from './scrapes.ts'

/** A server as an operator runs it: it listens, is scraped, and stops when it is told to. */
export interface Program {
  host: string
  /** The key that its port comes from. */
  portKey: string
  metricsPort: number
  metrics: Scraped
  logger: Logger
  listen(): Promise<Server>
  /** The last step before it says that it is there. */
  onListening?(server: Server): Promise<void>
  /** For people, after the line for programs. */
  greeting?(addresses: Addresses): string
  stop(): Promise<unknown>
}

interface Addresses {
  http: string
  metrics: string
}

/** Starts a program, or ends the process with a sentence that says why it cannot. */
export async function runProgram(name: string, build: () => Promise<Program>): Promise<void> {
  try {
    const program = await build()
    const { host, logger } = program
    const server = await usingKey(`HOST with ${program.portKey}`, () => program.listen())
    const scrapes = await usingKey('HOST with METRICS_PORT', () =>
      listenForScrapes(program.metrics, host, program.metricsPort),
    )
    stopOnSignals(async (signal) => {
      logger.info({ signal }, 'stopping')
      await program.stop()
      scrapes.close()
    })
    await program.onListening?.(server)
    const addresses = { http: addressOf(server, host), metrics: addressOf(scrapes, host) }
    // The one line on standard output: whoever started the program reads from it where it listens (R2).
    process.stdout.write(`${JSON.stringify({ event: 'listening', ...addresses })}\n`)
    if (program.greeting) process.stdout.write(program.greeting(addresses))
  } catch (error) {
    refuseStart(name, error as Error)
  }
}

/** One sentence, no stack: it is for whoever wrote the configuration. */
function refuseStart(name: string, error: Error): never {
  process.stderr.write(
    error instanceof ConfigError ? `${error.message}\n` : `The ${name} cannot start: ${error.message}\n`,
  )
  process.exit(1)
}

/** Below the 30 s that orchestrators commonly grant. */
const hardStopMs = 20_000

/** Stops once, however often it is asked, and ends with 0, or with 1 when stopping takes too long. */
function stopOnSignals(stop: (signal: string) => Promise<void>): void {
  let isStopping = false
  const onSignal = async (signal: string): Promise<void> => {
    if (isStopping) return
    isStopping = true
    setTimeout(() => process.exit(1), hardStopMs).unref()
    await stop(signal)
    process.exit(0)
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
}
