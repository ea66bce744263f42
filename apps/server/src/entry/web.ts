import { createLogger, runProgram } from '@atrium/program'
import { readWebConfig } from '../config/web-config.ts'
import { signInOrigins, uploadOrigins } from '../http/web/policy.ts'
import { createWebServer } from '../http/web/web-server.ts'

await runProgram('web app', async () => {
  const config = readWebConfig(process.env)
  const { host, port, metricsPort, folder } = config
  const logger = createLogger(config.logLevel, { program: 'web' })
  const { app, metrics } = createWebServer(
    { folder, connectTo: signInOrigins(config.issuer), uploadTo: uploadOrigins(config.objectStore) },
    logger,
  )
  return {
    host,
    portKey: 'WEB_PORT',
    metricsPort,
    metrics,
    logger,
    async listen() {
      await app.listen({ host, port })
      return app.server
    },
    stop: () => app.close(),
  }
})
