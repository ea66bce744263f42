import { createServer, type Server } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { operationsRoutes } from '@atrium/contract'
import { createBackend, type EndedJob, jobEnded } from '@atrium/functions'
import { createLogger, type Logger, listenOn, runProgram, usingKey } from '@atrium/program'
import { startTranscodeWorker, type WorkerTiming } from '../adapters/bullmq/transcode-worker.ts'
import { openScratchFolder } from '../adapters/disk/scratch-folder.ts'
import { readWorkerConfig, type WorkerConfig } from '../config/worker-config.ts'
import { createWorkerMetrics } from '../http/metrics.ts'
import type { TranscodeRunner } from '../ports/transcode-runner.ts'

export interface RunnerDeps {
  config: WorkerConfig
  /** For temporary files; emptied when the worker starts and when it stops. */
  folder: string
  logger: Logger
}

/** The program of `npm run work`: takes transcode jobs from Redis, and does them with the given runner. */
export async function runWorker(
  createRunner: (deps: RunnerDeps) => Promise<TranscodeRunner>,
  timing: Partial<WorkerTiming> = {},
): Promise<void> {
  await runProgram('worker', async () => {
    const config = readWorkerConfig(process.env)
    const { host, port, metricsPort, workDir } = config
    const logger = createLogger(config.logLevel, { program: 'worker' })
    const scratch = await usingKey('WORK_DIR', () => openScratchFolder(workDir))
    const runner = await createRunner({ config, folder: scratch.path, logger })
    const metrics = createWorkerMetrics()
    const worker = startTranscodeWorker({
      ...reportsTo(config, logger),
      redisUrl: config.redisUrl,
      onRunEnd: metrics.ended,
      onError: (err) => logger.warn({ err }, 'work on transcode jobs failed; it is tried again'),
      runner,
      timing,
    })
    const health = createHealthServer(worker.isReady)
    return {
      host,
      portKey: 'WORK_PORT',
      metricsPort,
      metrics,
      logger,
      async listen() {
        await listenOn(health, host, port)
        return health
      },
      async stop() {
        await worker.stop()
        await scratch.close()
        health.close()
      },
    }
  })
}

/** Reports go the way of MediaConvert's: through the callback function to the server's internal routes. */
function reportsTo(config: WorkerConfig, logger: Logger) {
  const backend = createBackend(config.backend)
  const now = () => Date.now()
  const wait = (ms: number) => delay(ms)
  return {
    now,
    wait,
    report: (job: EndedJob) => jobEnded(job, { postComplete: backend.completed, log: logger, now, wait }),
    reportProgress: backend.progressed,
  }
}

function createHealthServer(isReady: () => boolean): Server {
  return createServer((request, response) => {
    const path = request.url?.split('?')[0]
    const isKnown = path === operationsRoutes.live.path || path === operationsRoutes.ready.path
    const isWell = path === operationsRoutes.live.path || isReady()
    response
      .writeHead(isKnown ? (isWell ? 200 : 503) : 404, { 'content-type': 'application/json' })
      .end(JSON.stringify({ status: isKnown && isWell ? 'ok' : 'unavailable' }))
  })
}
