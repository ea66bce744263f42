import { createServer } from 'node:http'
import { createLogger, listenOn, runProgram, usingKey } from '@atrium/program'
import { readConfig } from '../config.ts'
import { createMetrics } from '../metrics.ts'
import { createObjectStore } from '../object-store.ts'

/** How long a stop waits for requests under way; well below the time after which the process is killed. */
const patienceMs = 8_000

await runProgram('object store', async () => {
  const config = readConfig(process.env)
  const { host, port, metricsPort } = config
  const logger = createLogger(config.logLevel, { program: 'object-store' })
  const store = await usingKey('OBJECTS_DIR', () =>
    createObjectStore({
      ...config,
      onError: (err, what) => logger.error({ err, ...what }, 'request failed'),
    }),
  )
  const metrics = createMetrics(store.usedBytes)
  const server = createServer(
    // An upload takes as long as it takes; the store ends those that stand still.
    // Clients cannot send the stream of an upload again, so we must not close connections just before they use them.
    {
      requestTimeout: 0,
      headersTimeout: 10_000,
      connectionsCheckingInterval: 1_000,
      keepAliveTimeout: 72_000,
    },
    async (message, response) => {
      await store.handle(message, response)
      metrics.finished(message, response)
    },
  )
  return {
    host,
    portKey: 'OBJECTS_PORT',
    metricsPort,
    metrics,
    logger,
    async listen() {
      await listenOn(server, host, port)
      return server
    },
    async stop() {
      server.close()
      server.closeIdleConnections()
      // An upload may take hours; what it has stored in parts is kept, and the client goes on with the next process.
      const cut = setTimeout(() => server.closeAllConnections(), patienceMs)
      await store.close()
      clearTimeout(cut)
      server.closeAllConnections()
    },
  }
})
