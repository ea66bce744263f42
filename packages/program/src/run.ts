import { createServer } from 'node:http'
import type { Server } from 'node:net'
import { addressOf, listenOn } from './address.ts'
import { ConfigError, usingKey } from './keys.ts'
import type { Logger } from './logger.ts'

/** A server as an operator runs it: it listens, is scraped, and stops on a signal. */
export interface Program {
  host: string
  /** The configuration key of its port. */
  portKey: string
  metricsPort: number
  metrics: Scraped
  logger: Logger
  listen(): Promise<Server>
  /** The last step before it announces itself. */
  onListening?(server: Server): Promise<void>
  /** Printed for people, after the line for programs. */
  greeting?(addresses: Addresses): string
  stop(): Promise<unknown>
}

interface Addresses {
  http: string
  metrics: string
}

/** Starts a program, or exits with a sentence that says why it cannot. */
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
    // The only line on standard output: the parent process reads from it where the program listens (R2).
    process.stdout.write(`${JSON.stringify({ event: 'listening', ...addresses })}\n`)
    if (program.greeting) process.stdout.write(program.greeting(addresses))
  } catch (error) {
    refuseStart(name, error as Error)
  }
}

/** One sentence, no stack: it is for the person who wrote the configuration. */
function refuseStart(name: string, error: Error): never {
  process.stderr.write(
    error instanceof ConfigError ? `${error.message}\n` : `The ${name} cannot start: ${error.message}\n`,
  )
  process.exit(1)
}

/** Below the 30 s that orchestrators usually allow. The chart's grace period is longer than this. */
export const hardStopMs = 20_000

/** Stops once, however often it is asked, and exits with 0, or with 1 if stopping takes too long. */
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

interface Scraped {
  contentType: string
  text(): Promise<string>
}

/** `/metrics` has a port of its own: participants must not read what operators scrape. */
async function listenForScrapes(metrics: Scraped, host: string, port: number): Promise<Server> {
  const server = createServer(async (request, response) => {
    const path = request.url?.split('?')[0]
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (!isRead || (path !== '/metrics' && path !== '/')) {
      response.writeHead(404).end()
      return
    }
    response.writeHead(200, { 'content-type': metrics.contentType }).end(await metrics.text())
  })
  await listenOn(server, host, port)
  return server
}
