import { createLogger, listenOn, runProgram } from '@atrium/program'
import { readConfig } from '../config.ts'
import { buildRouter } from '../router.ts'

await runProgram('router', async () => {
  const config = readConfig(process.env)
  const { host, port, metricsPort } = config
  const logger = createLogger(config.logLevel, { program: 'router' })
  const { server, metrics, stop } = await buildRouter(config, logger)
  return {
    host,
    portKey: 'ROUTER_PORT',
    metricsPort,
    metrics,
    logger,
    stop,
    async listen() {
      await listenOn(server, host, port)
      return server
    },
  }
})
