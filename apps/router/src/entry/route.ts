import {
  addressOf,
  announce,
  createLogger,
  listenForScrapes,
  listenOn,
  refuseStart,
  stopOnSignals,
  usingKey,
} from '@atrium/program'
import { readConfig } from '../config.ts'
import { buildRouter } from '../router.ts'

async function route(): Promise<void> {
  const config = readConfig(process.env)
  const { host } = config
  const logger = createLogger(config.logLevel, { program: 'router' })
  const router = await buildRouter(config, logger)
  await usingKey('HOST with ROUTER_PORT', () => listenOn(router.server, host, config.port))
  const scrapes = await usingKey('HOST with METRICS_PORT', () =>
    listenForScrapes(router.metrics, host, config.metricsPort),
  )
  stopOnSignals(async (signal) => {
    logger.info({ signal }, 'stopping')
    await router.stop()
    scrapes.close()
  })
  announce(addressOf(router.server, host), addressOf(scrapes, host))
}

route().catch((error: Error) => refuseStart('router', error))
