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
  /** Clients start at different ones and go to the next when one fails them. */
  servers: readonly Pick<Server, 'http'>[]
  clients: number
  eventsPerBatch?: number
  /** Between a client's batches. Keep it large for long loads: a session may send 100 requests a minute (R10). */
  pauseMs?: number
  /** Before a batch is tried again. */
  retryMs?: number
}

export type EventLoad = Awaited<ReturnType<typeof startEventLoad>>

/**
 * Participants who send numbered batches, one after the other, and repeat each until it is acknowledged, as the
 * contract tells them to. Everything they send and hear is logged.
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

  /** One try; whether the batch is acknowledged. */
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
      // A connection that failed says nothing about the batch; an undocumented answer is a fault.
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
  // When the test has failed, nobody tries for ever what no server will ever accept.
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
    /** Back when so many more batches have been acknowledged. */
    async progress(batches: number): Promise<void> {
      const wanted = acknowledged() + batches
      await waitUntil(() => acknowledged() >= wanted || `${acknowledged()} of ${wanted} acknowledged`)
    },
    /** Every participant finishes the batch it is at. */
    async stop(): Promise<void> {
      isStopping = true
      await Promise.all(participants)
    },
    /** What breaks I1 or I2, by the log and the export; the researcher reads from the first server. */
    async faults(): Promise<string[]> {
      const named = log.map((entry) => ({ ...entry, sessionId: pseudonymOf(entry.sessionId) }))
      return findFaults(named, await researcher.exported(experimentId), eventsPerBatch)
    },
  }
}
