import type { ParticipantEvent } from '@atrium/contract'
import type { Clock } from './clock.ts'
import type { Http } from './http.ts'
import { newId } from './ids.ts'
import type { OwnClock } from './own-clock.ts'
import type { QueuedEvent, QueueStore } from './queue/queue-store.ts'
import { type SenderState, startSender } from './sender.ts'
import type { SessionKeeper } from './session.ts'

/** An event to record; id and time are added when absent. */
export type EventToRecord = Omit<ParticipantEvent, 'eventId' | 'timestamp'> & {
  eventId?: string
  timestamp?: number
}

export interface ParticipationDeps {
  key: string
  store: QueueStore
  http: Http
  keeper: SessionKeeper
  clock: Clock
  ownClock: OwnClock
  random: () => number
  onChange(): void
  /** This tab has gained or lost the right to send. */
  onRight(isHeld: boolean): void
}

export type Participation = Awaited<ReturnType<typeof openParticipation>>

/** The queue of one participant in one experiment, and its sender. */
export async function openParticipation(deps: ParticipationDeps) {
  const { key, store, clock } = deps
  const queue = await store.open(key)
  let onRightChanged = (): void => undefined
  const right = await store.claimSending(key, () => onRightChanged())
  const sender = startSender({
    ...deps,
    queue,
    isShared: store.isShared,
    maySend: () => right.isHeld(),
  })
  onRightChanged = () => {
    deps.onRight(right.isHeld())
    sender.call('news')
  }
  let appending = 0
  await sender.count()

  async function append(event: QueuedEvent): Promise<void> {
    appending++
    deps.onChange()
    try {
      await queue.append(event)
      await sender.count()
    } finally {
      appending--
    }
    sender.call('news')
    deps.onChange()
  }

  return {
    key,
    state: (): SenderState => sender.state,
    /** Includes events that are being written to disk. */
    unsafe: (): number => sender.state.counts.pending + appending,
    mayRejoin: (): boolean => right.isHeld(),
    async record(event: EventToRecord): Promise<string> {
      const eventId = event.eventId ?? newId()
      const whole = { ...event, eventId, timestamp: event.timestamp ?? clock.now() }
      // In the form in which it is read back from disk, so that every retry sends the same.
      await append(JSON.parse(JSON.stringify(whole)) as QueuedEvent)
      return eventId
    },
    quarantined: () => queue.quarantined(),
    counts: () => queue.counts(),
    hurry: sender.hurry,
    call: sender.call,
    async close(): Promise<void> {
      await sender.close()
      right.release()
      await queue.close()
    },
  }
}
