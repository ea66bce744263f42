import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { AppError } from '../../kernel/app-error.ts'
import { createBreaker } from '../../kernel/breaker.ts'
import { createTurns } from '../../kernel/turns.ts'
import { asRefusal, isSilence } from '../sql/failures.ts'
import { migrateToLatest } from '../sql/migrations/migrations.ts'
import {
  createStoreCall,
  createStores,
  type Database,
  type StoreCall,
  splitReports,
  storesCalling,
} from '../sql/stores.ts'
import type { Tables } from '../sql/tables.ts'
import { numberTypes } from './number-types.ts'
import { refuseUnfinishedTransfer } from './transfer.ts'
import { withDeadline } from './with-deadline.ts'

interface WaitLimits {
  /** How long any call waits for the database. */
  patienceMs: number
  /**
   * A snapshot of a room may be several MB, and nobody waits for it. It has a connection, a patience and a breaker of
   * its own: one that is too slow says nothing about how soon the database answers participants.
   */
  snapshotPatienceMs: number
  /**
   * A paused instance must not keep others from the rows it has locked: not beyond its lease, when they take over its
   * rooms.
   */
  idleInTransactionMs: number
}

/** Clients get their 503 within two seconds, so by default no call waits longer than this. */
const usualPatienceMs = 1_500

/** Whoever waits longer for the database gives it as much longer for everything. */
const limitsFor = (patienceMs: number): WaitLimits => ({
  patienceMs,
  snapshotPatienceMs: Math.max(5_000, patienceMs),
  idleInTransactionMs: 0.8 * patienceMs,
})
/** A live database ends a slow statement this long before our patience does, which tells us that it is alive. */
const answerMs = 200
/** Short, because this is also how long a recovered database may go unnoticed. */
const restMs = 500

/**
 * Nearly all statements look rows up by key, often by many keys in one JSON text. The planner cannot see how many,
 * guesses a hundred, and for a hundred it prefers to scan whole tables: with 3,000 sessions an action of a room took
 * six times as long as by key, and more with more sessions. So the plan is fixed once. Nothing here is large enough to
 * be worth JIT compilation.
 */
const planning = [
  ...['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin', 'jit'].map((name) => `-c ${name}=off`),
  '-c plan_cache_mode=force_generic_plan',
].join(' ')

/**
 * Reports have a few connections of their own, so that any number of exports leaves the database to participants. They
 * queue here, in turn: a wait in the pool would count against the time that the database has to answer.
 */
const reportConnections = 2
const maxReportsWaiting = 200

export async function openPostgres(
  url: string,
  onIdleError: (error: Error) => void,
  changedLimits: Partial<WaitLimits> = {},
): Promise<Database> {
  const limits = { ...limitsFor(changedLimits.patienceMs ?? usualPatienceMs), ...changedLimits }
  await migrate(url, onIdleError)
  const open = (settings: pg.PoolConfig, patienceMs = limits.patienceMs) =>
    openPool(url, settings, { ...limits, patienceMs }, onIdleError)
  const guarded = (db: Kysely<Tables>) =>
    refusedWhileSilent(createStoreCall(createStores({ engine: 'postgres', db })), limits)
  const db = open({ max: 10, application_name: 'atrium', options: planning })
  const reportDb = open({
    max: reportConnections,
    application_name: 'atrium reports',
    options: `${planning} -c default_transaction_read_only=on`,
  })
  const snapshotDb = open({ max: 1, application_name: 'atrium snapshots' }, limits.snapshotPatienceMs)
  const call = guarded(db)
  const callReport = guarded(reportDb)
  const saveSnapshot = guarded(snapshotDb)
  const inTurn = createTurns(reportConnections, maxReportsWaiting)
  const report: StoreCall = (...named) => inTurn(() => callReport(...named))
  return {
    ...storesCalling(
      splitReports(report, (store, method, args) =>
        (method === 'saveSnapshot' ? saveSnapshot : call)(store, method, args),
      ),
    ),
    async close() {
      await Promise.all([db.destroy(), reportDb.destroy(), snapshotDb.destroy()])
    },
  }
}

function openPool(
  url: string,
  settings: pg.PoolConfig,
  { patienceMs, idleInTransactionMs }: WaitLimits,
  onIdleError: (error: Error) => void,
): Kysely<Tables> {
  const pool = new pg.Pool({
    connectionString: url,
    types: numberTypes,
    connectionTimeoutMillis: patienceMs,
    statement_timeout: patienceMs - answerMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
    ...settings,
  })
  pool.on('error', onIdleError)
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: withDeadline(pool, patienceMs) }) })
}

/**
 * While the database does not answer, callers are refused at once instead of each waiting in turn: a batch that
 * gathered behind a commit without an answer has waited long enough.
 */
function refusedWhileSilent(call: StoreCall, { patienceMs }: WaitLimits): StoreCall {
  const breaker = createBreaker({ restMs, trialMs: patienceMs })
  return async (store, method, args) => {
    if (!breaker.mayAsk(performance.now())) throw new AppError('UNAVAILABLE')
    try {
      const value = await call(store, method, args)
      breaker.answered()
      return value
    } catch (error) {
      if (isSilence(error)) breaker.stayedSilent(performance.now())
      else breaker.answered()
      throw asRefusal(error)
    }
  }
}

/** Without the short time-outs: an instance may wait long for another one that is migrating. */
async function migrate(url: string, onIdleError: (error: Error) => void): Promise<void> {
  const pool = new pg.Pool({
    connectionString: url,
    max: 2,
    types: numberTypes,
    connectionTimeoutMillis: 10_000,
  })
  pool.on('error', onIdleError)
  const db = new Kysely<never>({ dialect: new PostgresDialect({ pool }) })
  try {
    await refuseUnfinishedTransfer(pool)
    await migrateToLatest('postgres', db)
    // One may have begun since.
    await refuseUnfinishedTransfer(pool)
  } finally {
    await db.destroy()
  }
}
