import { hostname } from 'node:os'
import { fileURLToPath } from 'node:url'
import { addressOf, createLogger, runProgram } from '@atrium/program'
import { readExamples } from '../adapters/disk/read-examples.ts'
import { buildApp } from '../app.ts'
import { exposureOf, readConfig } from '../config/config.ts'
import { hideSessionIds } from '../kernel/ids.ts'
import { loadExamples } from '../modules/experiments/index.ts'
import { storageOf, welcome } from './welcome.ts'

const examplesFolder = fileURLToPath(new URL('../../../../examples', import.meta.url))
const isWelcome = process.argv.includes('--welcome')
/** `npm start` is for trying things out and greets instead; `serve` may be meant for other people, behind a proxy. */
const onlyForDevelopment =
  'The development issuer runs, because OIDC_ISSUER is not set: anybody who reaches the port, also through a proxy, can sign in as anybody'

await runProgram('server', async () => {
  const config = readConfig(process.env, hostname())
  const { host, port, metricsPort, pod, publicUrl, webDir } = config
  const warning = exposureOf(config) ?? (config.oidc || isWelcome ? undefined : onlyForDevelopment)
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
      if (warning !== undefined) logger.warn({ host }, warning)
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
