import { randomUUID } from 'node:crypto'
import type { ExportedEvent } from '@atrium/contract'
import { namedFilesIn } from '@atrium/contract/components'
import { linesOf, smallestDefinition } from '@atrium/testkit'
import type { Database } from '../../src/adapters/sql/stores.ts'
import { newExperimentId, newParticipantId, newRoomId, newSessionId } from '../../src/kernel/ids.ts'
import {
  type EventBatch,
  type EventToStore,
  type ExportPage,
  type ExportPosition,
  type ExportSource,
  everybody,
} from '../../src/modules/events/events.store.ts'
import type { ExportSelection, PagePlan } from '../../src/modules/exports/exports.store.ts'
import type { RoomAppend } from '../../src/modules/rooms/rooms.store.ts'
import type {
  CompleteRequest,
  Completion,
  JoinRequest,
  SessionRecord,
} from '../../src/modules/sessions/sessions.store.ts'
import { noQuota } from '../no-quota.ts'

export const startOfTime = 1_700_000_000_000
export const oneDayMs = 86_400_000

type Definition = ReturnType<typeof smallestDefinition>

/** As a definition is stored that names no uploaded table. */
export const newDefinition = (definition: Definition) => ({ definition, media: namedFilesIn(definition) })

/** A recruiting experiment. */
export async function openExperiment(
  { experiments }: Database,
  more: Partial<Definition> = {},
  actor = 'tester',
): Promise<string> {
  const experimentId = newExperimentId()
  const by = { experimentId, actor, now: startOfTime }
  await experiments.create({ ...by, ...newDefinition(smallestDefinition(more)) })
  await experiments.changeStatus({ ...by, to: 'recruiting' })
  return experimentId
}

/** The first join of a new person, unless overridden. */
export const joinRequest = (experimentId: string, more: Partial<JoinRequest> = {}): JoinRequest => ({
  experimentId,
  person: { issuer: 'urn:test', subject: `person-${randomUUID()}` },
  role: 'participant',
  drawRoleFrom: [],
  metadata: {},
  language: 'en',
  softwareVersion: '0.0.0',
  revision: 1,
  allowRepeat: false,
  needsAccount: false,
  needsConsent: false,
  soloRoom: true,
  quota: noQuota,
  hasSpace: true,
  podId: 'pod-0',
  ipAddress: '127.0.0.1',
  userAgent: 'atrium-test/1.0',
  newIds: { sessionId: newSessionId(), participantId: newParticipantId(), roomId: newRoomId() },
  now: startOfTime,
  expiresAt: startOfTime + oneDayMs,
  ...more,
})

export async function joined(
  { sessions }: Database,
  experimentId: string,
  more: Partial<JoinRequest> = {},
): Promise<SessionRecord> {
  const outcome = await sessions.join(joinRequest(experimentId, more))
  if (outcome.kind !== 'joined') throw new Error(`the join was refused: ${JSON.stringify(outcome)}`)
  return outcome.session
}

export const anEvent = (number: number, more: Partial<EventToStore> = {}): EventToStore => ({
  eventId: null,
  type: 'component_response',
  stateId: 's1',
  componentId: 'c1',
  timestamp: startOfTime + number,
  data: JSON.stringify({ value: number }),
  flags: '',
  extra: null,
  ...more,
})

export const aBatch = (
  sessionId: string,
  events: EventToStore[],
  more: Partial<EventBatch> = {},
): EventBatch => ({
  sessionId,
  idempotencyKey: null,
  bodyHash: '',
  receivedAt: startOfTime,
  needsConsent: false,
  quota: noQuota,
  events,
  ...more,
})

/** An action of the clock that changes nothing. */
export const anAppend = (roomId: string, epoch: number, seq: number): RoomAppend => ({
  ...{ roomId, epoch, seq, at: startOfTime, action: '{}', actor: 'clock', actionId: null },
  ...{ records: [], status: null, condition: null, decisions: [] },
})

export const recordedAt = (recorded: number, receivedAt: number = startOfTime) => ({
  kind: 'recorded',
  recorded,
  receivedAt,
})

export const everyone = (experimentId: string, source: ExportSource = 'people'): ExportSelection => ({
  experimentId,
  source,
  filters: everybody,
})

/** The pages of the export, in order. */
export async function exportPages(
  { exports }: Database,
  experimentId: string,
  source?: ExportSource,
): Promise<ExportPage[]> {
  const pages: ExportPage[] = []
  let next: ExportPosition | null = null
  do {
    const plans: PagePlan[] = await exports.plan(everyone(experimentId, source), null, next, 4)
    for (const plan of plans) pages.push({ ...(await exports.lines(plan)), next: plan.next })
    next = plans.at(-1)?.next ?? null
  } while (next !== null)
  return pages
}

export async function exportAll(database: Database, experimentId: string, source?: ExportSource) {
  const pages = await exportPages(database, experimentId, source)
  const lines = pages.flatMap(({ lines }) => linesOf(lines) as ExportedEvent[])
  return { lines, pages: pages.length }
}

export const completeRequest = (sessionId: string, more: Partial<Completion> = {}): CompleteRequest => ({
  sessionId,
  completion: {
    outcome: 'SUCCESS',
    completionCode: 'CODE-1',
    redirectUrl: '',
    finalState: null,
    completedAt: startOfTime,
    ...more,
  },
  claimedEvents: null,
  duration: null,
  requireAllEvents: false,
  unlessMatched: false,
  finalStateUnknown: false,
  decidedBy: 'client',
  needsDecision: false,
})
