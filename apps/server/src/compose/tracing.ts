import { openTracing, type Tracing } from '@atrium/program'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config/config.ts'
import { version } from '../http/figures.ts'

/** Traces of this instance; undefined unless they are configured. */
export const openTraces = (config: Config, logger: FastifyBaseLogger): Promise<Tracing | undefined> =>
  openTracing(config.tracing, {
    service: 'atrium-server',
    version,
    instance: config.pod.id,
    onTrouble: (err) =>
      err
        ? logger.warn({ err }, 'traces cannot be exported; they are dropped')
        : logger.info('traces are exported again'),
  })
