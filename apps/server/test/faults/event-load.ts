import { participantRoutes } from '@atrium/contract'
import {
  createApi,
  createPerson,
  createResearcher,
  numberedEvent,
  pace,
  type Server,
  waitUntil,
} from '@atrium/testkit'
import { onTestFinished } from 'vitest'
import { pseudonymOf } from '../../src/kernel/ids.ts'
import { findFaults, type LoadEntry } from './event-log.ts'

export interface LoadOptions {
  /** Each client starts at a different one and moves to the next when one fails. */
  servers: readonly Pick<Server, 'http'>[]
  clients: number
  eventsPerBatch?: number
  /** Pause between a client's batches. Keep it long for long loads: a session may send 100 requests a minute (R10). */
  pauseMs?: number
  /** Pause before a batch is retried. */
  retryMs?: number
}

export type EventLoad = Awaited<ReturnType<typeof startEventLoad>>

/**
 * Participants who send numbered batches one after the other and retry each until it is acknowledged, as the contract
 * requires. Everything they send and receive is logged.
 */
export async function startEventLoad(options: LoadOptions) {
  const { servers, clients, eventsPerBatch = 5, pauseMs = 150, retryMs = 250 } = options
  const apis = servers.map((server) => createApi(() => server.http))
  const apiOf = (index: number) => apis[index % apis.length] ?? createApi('')
  const researcher = await createResearcher(apiOf(0), ['researcher', 'admin'])
  const experimentId = await researcher.openExperiment()
  const log: LoadEntry[] = []
  let isStopping = false
  let isGivingUp = false

  /** Makes one attempt; returns whether the batch was acknowledged. */
  async function send(server: number, sessionId: string, batch: number): Promise<boolean> {
    const entry = { sessionId, batch, server: server % apis.length }
    log.push({ ...entry, kind: 'sent' })
    const events = Array.from({ length: eventsPerBatch }, (_, index) =>
      numberedEvent(batch * eventsPerBatch + index),
    )
    try {
      const answer = await apiOf(server).call(participantRoutes.eventsV4, {
        session: { sessionId },
        body: { events },
        headers: { 'idempotency-key': `batch-${batch}` },
      })
      const isAcknowledged = answer.status === 200
      log.push({ ...entry, kind: isAcknowledged ? 'acknowledged' : 'refused', status: answer.status })
      return isAcknowledged
    } catch (error) {
      // A failed connection says nothing about the batch; an undocumented response is a fault.
      const isUnreachable = error instanceof TypeError
      log.push({ ...entry, kind: isUnreachable ? 'unreachable' : 'undocumented', reason: String(error) })
      return false
    }
  }

  async function participate(sessionId: string, firstServer: number): Promise<void> {
    let server = firstServer
    for (let batch = 0; !isStopping; batch++) {
      while (!(await send(server, sessionId, batch))) {
        if (isGivingUp) return
        server++
        await pace(retryMs)
      }
      await pace(pauseMs)
    }
  }

  const joins = Array.from({ length: clients }, async (_, index) => {
    const person = await createPerson(apiOf(index))
    return (await person.join(experimentId)).sessionId
  })
  const sessionIds = await Promise.all(joins)
  const participants = sessionIds.map(participate)
  // After a failed test, clients must not retry forever what no server will accept.
  onTestFinished(() => {
    isStopping = true
    isGivingUp = true
  })
  const acknowledged = (): number => log.filter(({ kind }) => kind === 'acknowledged').length

  return {
    experimentId,
    sessionIds,
    researcher,
    log: log as readonly LoadEntry[],
    acknowledged,
    /** Resolves when this many more batches have been acknowledged. */
    async progress(batches: number): Promise<void> {
      const wanted = acknowledged() + batches
      await waitUntil(() => acknowledged() >= wanted || `${acknowledged()} of ${wanted} acknowledged`)
    },
    /** Every participant finishes the current batch. */
    async stop(): Promise<void> {
      isStopping = true
      await Promise.all(participants)
    },
    /** Violations of I1 or I2 according to the log and the export, which is read from the first server. */
    async faults(): Promise<string[]> {
      const named = log.map((entry) => ({ ...entry, sessionId: pseudonymOf(entry.sessionId) }))
      return findFaults(named, await researcher.exported(experimentId), eventsPerBatch)
    },
  }
}
