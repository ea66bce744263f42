import { hostname } from 'node:os'
import { fileURLToPath } from 'node:url'
import {
  addressOf,
  announce,
  createLogger,
  listenForScrapes,
  refuseStart,
  stopOnSignals,
  usingKey,
} from '@atrium/program'
import { readExamples } from '../adapters/disk/read-examples.ts'
import { buildApp } from '../app.ts'
import { readConfig } from '../config.ts'
import { loadExamples } from '../modules/experiments/index.ts'
import { welcome } from './welcome.ts'

const examplesFolder = fileURLToPath(new URL('../../../../examples', import.meta.url))

async function serve(): Promise<void> {
  const config = readConfig(process.env, hostname())
  const logger = createLogger(config.logLevel, { pod: config.pod.id })
  const app = await buildApp(config, logger)
  if (!config.databaseUrl) await loadExamples(app.experiments, await readExamples(examplesFolder))
  await usingKey('HOST with PORT', () => app.http.listen({ host: config.host, port: config.port }))
  const scrapes = await usingKey('HOST with METRICS_PORT', () =>
    listenForScrapes(app.metrics, config.host, config.metricsPort),
  )
  const http = addressOf(app.http.server, config.host)
  const metrics = addressOf(scrapes, config.host)
  stopOnSignals(async (signal) => {
    logger.info({ signal }, 'stopping')
    await app.drain()
    await app.close()
    scrapes.close()
  })
  await app.register(addressOf(app.http.server, config.pod.ip))
  announce(http, metrics)
  if (process.argv.includes('--welcome'))
    process.stdout.write(
      welcome({ http: config.publicUrl ?? http, metrics, hasPages: config.webDir !== undefined }),
    )
}

serve().catch((error: Error) => refuseStart('server', error))
