import { hostname } from 'node:os'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { readExamples } from '../adapters/disk/read-examples.ts'
import { buildApp } from '../app.ts'
import { ConfigError, readConfig, usingKey } from '../config.ts'
import { listenForScrapes } from '../http/metrics-server.ts'
import { loadExamples } from '../modules/experiments/index.ts'
import { errorForLog } from './error-for-log.ts'
import { addressOf, welcome } from './welcome.ts'

const examplesFolder = fileURLToPath(new URL('../../../../examples', import.meta.url))

/** Below the 30 s that orchestrators commonly grant. */
const hardStopMs = 20_000

async function serve(): Promise<void> {
  const config = readConfig(process.env, hostname())
  // Standard output is for the listening line; logs go beside it.
  const logger = pino(
    { level: config.logLevel, base: { pod: config.pod.id }, serializers: { err: errorForLog } },
    pino.destination(2),
  )
  const app = await buildApp(config, logger)
  if (!config.databaseUrl) await loadExamples(app.experiments, await readExamples(examplesFolder))
  await usingKey('HOST with PORT', () => app.http.listen({ host: config.host, port: config.port }))
  const scrapes = await usingKey('HOST with METRICS_PORT', () =>
    listenForScrapes(app.metrics, config.host, config.metricsPort),
  )
  const http = addressOf(app.http.server, config.host)
  const metrics = addressOf(scrapes, config.host)

  let isStopping = false
  const stop = async (signal: string) => {
    if (isStopping) return
    isStopping = true
    logger.info({ signal }, 'stopping')
    setTimeout(() => process.exit(1), hardStopMs).unref()
    await app.drain()
    await app.close()
    scrapes.close()
    process.exit(0)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)

  process.stdout.write(`${JSON.stringify({ event: 'listening', http, metrics })}\n`)
  if (process.argv.includes('--welcome')) process.stdout.write(welcome(config.publicUrl ?? http, metrics))
}

serve().catch((error: Error) => {
  process.stderr.write(
    error instanceof ConfigError ? `${error.message}\n` : `The server cannot start: ${error.message}\n`,
  )
  process.exit(1)
})
