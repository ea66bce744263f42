import {
  addressOf,
  announce,
  createLogger,
  listenForScrapes,
  refuseStart,
  stopOnSignals,
  usingKey,
} from '@atrium/program'
import { signInOrigins } from '../http/web/policy.ts'
import { createWebServer } from '../http/web/web-server.ts'
import { readWebConfig } from '../web-config.ts'

async function serveWeb(): Promise<void> {
  const config = readWebConfig(process.env)
  const { host, folder } = config
  const logger = createLogger(config.logLevel, { program: 'web' })
  const { app, metrics } = createWebServer({ folder, connectTo: signInOrigins(config.issuer) }, logger)
  await usingKey('HOST with WEB_PORT', () => app.listen({ host, port: config.port }))
  const scrapes = await usingKey('HOST with METRICS_PORT', () =>
    listenForScrapes(metrics, host, config.metricsPort),
  )
  stopOnSignals(async (signal) => {
    logger.info({ signal }, 'stopping')
    await app.close()
    scrapes.close()
  })
  announce(addressOf(app.server, host), addressOf(scrapes, host))
}

serveWeb().catch((error: Error) => refuseStart('web app', error))
