import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import { newErasedId } from '../../kernel/ids.ts'
import type { Bus } from '../../ports/bus.ts'
import type { WaitingQueue } from '../../ports/waiting-queue.ts'
import type { Experiments } from '../experiments/index.ts'
import type { Rooms } from '../rooms/index.ts'
import type { Sessions } from '../sessions/index.ts'
import { queuesOf } from '../waiting/index.ts'
import type { Erasure, PersonRef, PrivacyStore, WholeErasure } from './privacy.store.ts'

export interface PrivacyDeps {
  store: PrivacyStore
  sessions: Pick<Sessions, 'cache'>
  rooms: Pick<Rooms, 'rewrite'>
  experiments: Pick<Experiments, 'find' | 'written'>
  queue: Pick<WaitingQueue, 'forget'>
  files: { eraseOf(participantId: string): Promise<void> }
  bus: Bus
  clock: Clock
}

/** Somebody wakes the room each time we have read it; more often than this is no coincidence. */
const maxAttempts = 5

/** A day more or less matters to nobody, and looking for them reads all participants of such studies. */
const betweenSweepsMs = 3_600_000

export interface Privacy {
  /**
   * R94: forgets who people were, for as long as their study kept it. On several instances at once each person is
   * forgotten, and audited, by one of them.
   */
  sweep(): Promise<void>
  /** Rejects for somebody who is not there; what is left of somebody deleted is that they were. */
  requireKnown(person: PersonRef): Promise<void>
  page: PrivacyStore['page']
  /** Safe to repeat. Ends the participation first, so that nothing that they still send is stored. */
  erase(request: Omit<Erasure, 'now'> & { scope: 'identity' | 'all' }): Promise<void>
}

/** R48: what is known of one person, and its removal. */
export function createPrivacy(deps: PrivacyDeps): Privacy {
  const { store, sessions, rooms, queue, files, bus, clock } = deps

  async function find(person: PersonRef) {
    const found = await store.find(person)
    if (!found) throw new AppError('NOT_FOUND', {}, 'There is no such participant in this experiment.')
    return found
  }

  /** Whoever else is in the room goes on; they reconnect once the room is read without this person. */
  async function eraseLast(erasure: Omit<WholeErasure, 'room'>, roomId: string | undefined) {
    if (roomId === undefined) return await store.erase({ ...erasure, room: null })
    const { participantId, erasedId } = erasure
    return await rooms.rewrite(roomId, { participantId, erasedId }, (room) =>
      store.erase({ ...erasure, room }),
    )
  }

  /** R68: nobody is in two rooms at a time, so the others of this one have not been told of any other. */
  async function eraseFromFormer(erasure: Omit<WholeErasure, 'room'>, roomId: string) {
    const { experimentId, participantId, erasedId } = erasure
    const outcome = await rooms.rewrite(roomId, { participantId, erasedId }, (room) =>
      store.eraseFromRoom({ experimentId, participantId, erasedId, room }),
    )
    if (outcome === 'erased') await rewritten([roomId])
    return outcome
  }

  async function rewritten(roomIds: readonly string[]): Promise<void> {
    for (const roomId of roomIds) await bus.publish('room_rewritten', { roomId }).catch(() => undefined)
  }

  /** R68: they may have waited for each stage. Of somebody deleted, the present revision tells which there are. */
  async function leaveQueues(person: PersonRef, revision?: number): Promise<void> {
    const { experimentId, participantId } = person
    const played = revision ?? (await deps.experiments.find(experimentId)).revision
    const { stages = [] } = await deps.experiments.written(experimentId, played)
    for (const queueId of queuesOf(experimentId, stages)) await queue.forget(queueId, participantId)
  }

  async function eraseAll(erasure: Erasure): Promise<void> {
    const erasedId = newErasedId()
    const first = await store.find(erasure)
    if (!first || first === 'erased') return
    const whole = { ...erasure, erasedId, condition: first.condition }
    for (let attempt = 1; attempt <= maxAttempts; ) {
      const found = await store.find(erasure)
      if (!found || found === 'erased') return
      const { roomIds, sharedRoomIds } = found
      const [former, ...later] = sharedRoomIds
      const isOnlyOne = later.length === 0
      const outcome = isOnlyOne ? await eraseLast(whole, former) : await eraseFromFormer(whole, former ?? '')
      if (outcome === 'room_changed') attempt++
      else if (isOnlyOne) return await rewritten(roomIds)
    }
    throw new AppError('UNAVAILABLE', {}, 'The room of this participant is too busy. Try again.')
  }

  let sweptAt = Number.NEGATIVE_INFINITY

  return {
    async sweep() {
      const now = clock.now()
      if (now - sweptAt < betweenSweepsMs) return
      sweptAt = now
      for (let due = await store.identitiesDue(now); due.length > 0; due = await store.identitiesDue(now)) {
        for (const person of due) {
          const severed = { ...person, now, actor: 'atrium', requestedBy: 'identityDays' } as const
          if (await store.sever(severed)) await leaveQueues(person)
        }
        await store.purge()
      }
    },
    async requireKnown(person) {
      if ((await find(person)) === 'erased')
        throw new AppError('NOT_FOUND', {}, 'This participant has been deleted.')
    },
    page: store.page,
    async erase(request) {
      const { scope, ...rest } = request
      const erasure = { ...rest, now: clock.now() }
      const found = await find(erasure)
      if (found !== 'erased') {
        const ended = await store.endParticipation({ ...erasure, withdraws: scope === 'all' })
        await sessions.cache.changed(ended)
        if (scope === 'all') await eraseAll(erasure)
        else await store.sever(erasure)
        // Again: somebody may have read them in between.
        await sessions.cache.changed(ended)
      }
      // Also if they are deleted already: the first attempt may have ended before this.
      await leaveQueues(rest, found === 'erased' ? undefined : found.revision)
      if (scope === 'all') await files.eraseOf(rest.participantId)
      await store.purge()
    },
  }
}
