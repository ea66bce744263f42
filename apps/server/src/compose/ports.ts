import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { openTracing, type Secrets, type Tracing, usingKey } from '@atrium/program'
import type { FastifyBaseLogger } from 'fastify'
import { keepSecret } from '../adapters/disk/kept-secret.ts'
import type { Database } from '../adapters/sql/stores.ts'
import { createHeavyWork } from '../adapters/worker-thread/heavy-work.ts'
import type { Config } from '../config/config.ts'
import type { ArrivalRules } from '../http/arrivals.ts'
import { version } from '../http/figures.ts'
import type { Clock, ExactClock } from '../kernel/clock.ts'
import type { Quota } from '../kernel/quota.ts'
import type { Space } from '../kernel/space.ts'
import type { HeavyWork } from '../ports/heavy-work.ts'
import { type Coordination, openCoordination } from './coordination.ts'
import { openSpace, openStorage } from './storage.ts'

/** What every module is opened with: the configuration, the adapters that it chooses, and who is told of failures. */
export interface Ports extends Omit<Coordination, 'close'> {
  config: Config
  logger: FastifyBaseLogger
  /** Undefined: no traces. */
  tracing: Tracing | undefined
  database: Database
  /** The time as it is given to us. */
  source: Clock
  /** The same without its jumps. */
  clock: ExactClock
  space: Space
  /** What a participant and an experiment may store. */
  quota: Quota
  heavyWork: HeavyWork
  /** Shared by all instances; the first signs. */
  secrets: Secrets
  /** Where small uploads are kept while they arrive. */
  arrivals: Omit<ArrivalRules, 'places'>
  /** For the log: a constant message, and structured fields. */
  warn(facts: Record<string, unknown>, message: string): void
  /** Called for a path that other users may read. */
  onShared(path: string): void
  onBackgroundError(error: unknown): void
  sweep(): Promise<void>
  /** Once nothing uses them any more. */
  close(): Promise<void>
}

export async function openPorts(config: Config, logger: FastifyBaseLogger): Promise<Ports> {
  const onBackgroundError = (error: unknown) =>
    logger.warn({ err: error }, 'background work failed; it is tried again')
  const onShared = (path: string) =>
    logger.warn({ path }, 'other users of this machine may read this path; make it private')
  const warn = (facts: Record<string, unknown>, message: string) => logger.warn(facts, message)
  const tracing = await openTraces(config, logger)
  const storage = await openStorage(config, { tracing, onShared, onBackgroundError, warn })
  const { database, sharedClock, source, clock } = storage
  const { space, keepFreeBytes } = await openSpace(config, { warn, onBackgroundError })
  const { close: closeCoordination, ...coordination } = await openCoordination(
    config,
    clock,
    onBackgroundError,
  )
  const { participantBytes, experimentBytes } = config.quotas
  return {
    ...{ config, logger, tracing, database, source, clock, space, ...coordination },
    quota: { participantBytes, experimentBytes },
    heavyWork: createHeavyWork(),
    secrets: await sessionSecrets(config, database, onShared),
    arrivals: config.databaseUrl
      ? { folder: tmpdir(), keepFreeBytes: 0 }
      : { folder: config.dataDir, keepFreeBytes },
    ...{ warn, onShared, onBackgroundError },
    async sweep() {
      await sharedClock?.read()
    },
    async close() {
      await closeCoordination()
      await database.close()
      await tracing?.stop()
    },
  }
}

/** R12. Without a configured secret, instances that share a database share a secret kept there. */
async function sessionSecrets(
  config: Config,
  database: Database,
  onShared: (path: string) => void,
): Promise<Secrets> {
  if (config.sessionSecrets) return config.sessionSecrets
  if (!config.databaseUrl)
    return [await usingKey('DATA_DIR', () => keepSecret(config.dataDir, 'session-secret', onShared))]
  return [await database.secrets.keepFirst('session_secret', randomBytes(32).toString('base64url'))]
}

/** Traces of this instance; undefined unless they are configured. */
const openTraces = (config: Config, logger: FastifyBaseLogger): Promise<Tracing | undefined> =>
  openTracing(config.tracing, {
    service: 'atrium-server',
    version,
    instance: config.pod.id,
    onTrouble: (err) =>
      err
        ? logger.warn({ err }, 'traces cannot be exported; they are dropped')
        : logger.info('traces are exported again'),
  })
