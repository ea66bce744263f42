import { ConfigError } from './config-error.ts'

/** The one line on standard output: whoever started the program reads from it where it listens (R2). */
export const announce = (http: string, metrics: string): void =>
  void process.stdout.write(`${JSON.stringify({ event: 'listening', http, metrics })}\n`)

/** One sentence, no stack: it is for whoever wrote the configuration. */
export function refuseStart(program: string, error: Error): never {
  process.stderr.write(
    error instanceof ConfigError ? `${error.message}\n` : `The ${program} cannot start: ${error.message}\n`,
  )
  process.exit(1)
}

/** Below the 30 s that orchestrators commonly grant. */
const hardStopMs = 20_000

/** Stops once, however often it is asked, and ends with 0, or with 1 when stopping takes too long. */
export function stopOnSignals(stop: (signal: string) => Promise<void>): void {
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
