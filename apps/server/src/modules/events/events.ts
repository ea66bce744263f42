import { hash } from 'node:crypto'
import type { ClockReport, ParticipantEvent } from '@atrium/contract'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import { createGroupCommit, type GroupLimits } from '../../kernel/group-commit.ts'
import { bytesOfEvent, type Quota, quotaExceeded, withReserve } from '../../kernel/quota.ts'
import type { SealingKeys } from '../../kernel/sealed.ts'
import type { Space } from '../../kernel/space.ts'
import type { Experiments } from '../experiments/index.ts'
import { consentIn } from './consent.plan.ts'
import { toStore } from './event-batch.ts'
import type { EventBatch, EventStore, EventToStore } from './events.store.ts'
import { createKnownPlaces } from './known-places.ts'

/**
 * A group is smaller than the number of clients at a busy time, so that the server works for some while others are
 * being written; with all of them in one group, each side waits for the other. Measured with 64 clients: 10 % more
 * requests with 32 than with 128, on both engines; with 16 the transactions themselves begin to cost.
 *
 * The thread of an embedded database handles groups in turn. With the next group already queued it never waits for us:
 * 10 % more requests for the same CPU. Two groups of 24 leave clients for the server to work for; two of 32 do not. A
 * shared database would write both at once, on two connections: fewer requests for more CPU, and two batches of one
 * session might swap places.
 */
export const groupLimits = {
  embedded: { maxItems: 24, maxInFlight: 2 },
  shared: { maxItems: 32, maxInFlight: 1 },
}

/**
 * Keeps a write far below the store's time-out. Measured 35 µs an event on PostgreSQL: 128 batches of 500 would take
 * over two seconds, be refused as too slow, come back together, and never be stored.
 */
const weighing: Pick<GroupLimits<EventBatch>, 'maxWeight' | 'weightOf' | 'ownerOf'> = {
  maxWeight: 1_048_576,
  weightOf: ({ events }) =>
    events.reduce((sum, { data, extra }) => sum + 200 + data.length + (extra?.length ?? 0), 0),
  ownerOf: ({ sessionId }) => sessionId,
}

/** Pages of researchers’ own may show something before they join. */
const beforeJoiningMs = 60_000

interface Recorder {
  sessionId: string
  experimentId: string
  revision: number
  needsConsent: boolean
  role: string
  /** When the participation began, and when the session did. */
  joinedAt: number
  createdAt: number
}

export interface Events {
  /** R18: acknowledged only once it is durably stored. */
  record(
    recorder: Recorder,
    events: readonly ParticipantEvent[],
    idempotencyKey: string | null,
    reported?: ClockReport,
  ): Promise<'sealed' | { kind: 'recorded'; recorded: number; receivedAt: number }>
  figures(): { recorded: number; commits: number }
  drain(): Promise<void>
}

export function createEvents({
  store,
  experiments,
  clock,
  quota,
  space,
  groups,
  sealing,
}: {
  store: EventStore
  experiments: Experiments
  clock: Clock
  quota: Quota
  space: Pick<Space, 'require'>
  groups: Pick<GroupLimits<EventBatch>, 'maxItems' | 'maxInFlight'>
  sealing: SealingKeys
}): Events {
  const commits = createGroupCommit(store.append, { ...weighing, ...groups })
  const places = createKnownPlaces()
  let recorded = 0

  return {
    async record(recorder, events, idempotencyKey, reported) {
      const { experimentId, revision, role } = recorder
      const known = await places.get(`${experimentId} ${revision}`, () =>
        experiments.definition(experimentId, revision),
      )
      const receivedAt = clock.now()
      const maxMs = receivedAt - recorder.joinedAt + beforeJoiningMs
      const toBeStored = events.map((event) => toStore(event, known, { role, maxMs }))
      const isWayOut = isSmallRefusal(toBeStored)
      if (!isWayOut) space.require('data')
      const outcome = await commits.add({
        sessionId: recorder.sessionId,
        idempotencyKey,
        bodyHash: idempotencyKey === null ? '' : hash('sha256', JSON.stringify(events), 'base64url'),
        receivedAt,
        sessionStartedAt: recorder.createdAt,
        clock: reported,
        needsConsent: recorder.needsConsent,
        ...(events.some((event) => consentIn(event) === 'given') && { sealing }),
        quota: isWayOut ? withReserve(quota) : quota,
        events: toBeStored,
      })
      switch (outcome.kind) {
        case 'recorded':
          recorded += outcome.recorded
          return outcome
        case 'conflict':
          throw new AppError('IDEMPOTENCY_CONFLICT', { key: outcome.key })
        case 'sealed':
          return 'sealed'
        case 'without_consent':
          throw new AppError('CONSENT_REQUIRED')
        case 'full':
          throw new AppError('EXPERIMENT_CLOSED', { reason: 'full' })
        case 'over_quota':
          throw quotaExceeded(outcome.over)
      }
    },

    figures: () => ({ recorded, commits: commits.commits() }),
    drain: commits.drain,
  }
}

/** E28: somebody who declines the consent leaves, and needs little space to say so. */
const isSmallRefusal = (events: readonly EventToStore[]): boolean =>
  events.every((event) => consentIn(event) === 'declined') &&
  events.reduce((sum, event) => sum + bytesOfEvent(event), 0) <= 4_096
