import { operationsRoutes } from '@atrium/contract'
import Fastify, { type FastifyBaseLogger, LogController } from 'fastify'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { createRequestMetrics } from '../metrics.ts'
import { addWebPages, sendNotFoundPage, type WebPages, wantsPage } from './web-pages.ts'

/** The web app alone, behind the router of a cluster: pages, health and metrics. */
export function createWebServer(web: WebPages, logger: FastifyBaseLogger) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const metrics = createRequestMetrics(registry)
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    bodyLimit: 1_024, // Nobody sends anything here.
    requestTimeout: 10_000,
  })
  app.get(operationsRoutes.live.path, async () => ({ status: 'ok' }))
  app.get(operationsRoutes.ready.path, async () => ({ status: 'ready' }))
  addWebPages(app, web)
  app.setNotFoundHandler((request, reply) =>
    wantsPage(request)
      ? sendNotFoundPage(reply, web)
      : reply.code(404).type('text/plain').send('Not found.\n'),
  )
  metrics.observe(app)
  return { app, metrics }
}
