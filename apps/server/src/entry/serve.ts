import { hostname } from 'node:os'
import { fileURLToPath } from 'node:url'
import { addressOf, createLogger, runProgram } from '@atrium/program'
import { readExamples } from '../adapters/disk/read-examples.ts'
import { buildApp } from '../app.ts'
import { exposureOf, readConfig } from '../config.ts'
import { hideSessionIds } from '../kernel/ids.ts'
import { loadExamples } from '../modules/experiments/index.ts'
import { storageOf, welcome } from './welcome.ts'

const examplesFolder = fileURLToPath(new URL('../../../../examples', import.meta.url))
const isWelcome = process.argv.includes('--welcome')

await runProgram('server', async () => {
  const config = readConfig(process.env, hostname())
  const { host, port, metricsPort, pod, publicUrl, webDir } = config
  const exposure = exposureOf(config)
  const logger = createLogger(config.logLevel, { pod: pod.id }, hideSessionIds)
  const app = await buildApp(config, logger)
  if (!config.databaseUrl && !config.hosted)
    await loadExamples(app.experiments, await readExamples(examplesFolder))
  return {
    host,
    portKey: 'PORT',
    metricsPort,
    metrics: app.metrics,
    logger,
    async listen() {
      await app.http.listen({ host, port })
      return app.http.server
    },
    async onListening(server) {
      if (exposure !== undefined) logger.warn({ host }, exposure)
      await app.register(addressOf(server, pod.ip))
    },
    ...(isWelcome && {
      greeting: ({ http, metrics }) =>
        welcome({
          http: publicUrl ?? http,
          metrics,
          hasPages: webDir !== undefined,
          demoAt: config.oidc ? undefined : http,
          storage: storageOf(config.databaseUrl, config.dataDir),
        }),
    }),
    async stop() {
      await app.drain()
      await app.close()
    },
  }
})
