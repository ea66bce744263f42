import {
  type ExperimentDefinition,
  findUnstorable,
  limits,
  type StartedTry,
  studyOf,
  type TryBody,
  type ValidationIssue,
  withRows,
} from '@atrium/contract'
import { namedFilesIn } from '@atrium/contract/components'
import { AppError, issuesIn, validationFailed } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import { newExperimentId } from '../../kernel/ids.ts'
import type { Bus } from '../../ports/bus.ts'
import type { HeavyWork, RowsByTableId } from '../../ports/heavy-work.ts'
import type { WaitingQueue } from '../../ports/waiting-queue.ts'
import type { Experiments } from '../experiments/index.ts'
import { actorOf, type Identity, signedBy } from '../identity/index.ts'
import type { Sessions } from '../sessions/index.ts'
import { queuesOf } from '../waiting/index.ts'
import { seatsOf, triedDefinition } from './tried-definition.ts'
import type { TryStore } from './tries.store.ts'

export interface TryDeps {
  store: TryStore
  experiments: Pick<Experiments, 'filled' | 'find' | 'written'>
  heavyWork: Pick<HeavyWork, 'checkDefinition'>
  media: {
    refuseHidden(definition: ExperimentDefinition, author: Identity, experimentId: string): Promise<void>
  }
  credentials: {
    refuseHidden(
      definition: ExperimentDefinition,
      author: Identity,
      experimentId: string | null,
    ): Promise<void>
  }
  tables: { rowsFor(definition: unknown, author: Identity): Promise<RowsByTableId> }
  sessions: Pick<Sessions, 'cache'>
  queue: Pick<WaitingQueue, 'forget'>
  files: { eraseOf(participantId: string): Promise<void> }
  bus: Bus
  clock: Clock
}

/** So that a sweep does not keep the database busy. */
const maxPerSweep = 20

const tooMany = `You have ${limits.triesPerResearcher} tries open. Stop one of them, or wait: each is deleted after a day.`

export interface Tries {
  start(experimentId: string, body: TryBody, identity: Identity): Promise<StartedTry>
  list(
    experimentId: string,
    identity: Identity,
  ): Promise<{ tries: { tryId: string; link: string; createdAt: number; endsAt: number }[] }>
  stop(experimentId: string, tryId: string, identity: Identity): Promise<void>
  /** Deletes what is a day old. */
  sweep(): Promise<void>
}

/** Plays what a researcher is writing, in hidden experiments that leave nothing behind. */
export function createTries(deps: TryDeps): Tries {
  const { store, experiments, clock } = deps

  /** The same checks as before saving. */
  async function check(written: unknown, author: Identity, experimentId: string) {
    const rows = await deps.tables.rowsFor(written, author)
    const { definition } = await deps.heavyWork.checkDefinition(written, actorOf(author), rows)
    const study = studyOf(definition)
    await deps.media.refuseHidden(withRows(study, rows), author, experimentId)
    await deps.credentials.refuseHidden(study, author, experimentId)
    return definition
  }

  async function checked(body: TryBody, author: Identity, experimentId: string) {
    const definition = await check(body.definition, author, experimentId).catch((error: unknown) => {
      throw validationFailed(issuesIn(error).map(inDefinition))
    })
    const { startAt } = body
    if (startAt !== undefined && !studyOf(definition).states.some(({ id }) => id === startAt))
      throw validationFailed([{ path: '/startAt', message: `there is no state called ‘${startAt}’` }])
    return definition
  }

  /** Safe to repeat: what is outside the database goes first, because only the database knows of it. */
  async function remove(tryId: string): Promise<void> {
    const { participantIds, sessionIds, roomIds } = await store.close(tryId, clock.now())
    await deps.sessions.cache.changed(sessionIds)
    // R68: people may wait for each stage. A try has one revision.
    const { stages = [] } = participantIds.length === 0 ? {} : await deps.experiments.written(tryId, 1)
    for (const participantId of participantIds) {
      for (const queueId of queuesOf(tryId, stages)) await deps.queue.forget(queueId, participantId)
      await deps.files.eraseOf(participantId)
    }
    await store.remove(tryId)
    // Whoever held a room has lost it already; they just learn of it now rather than when they next write.
    for (const roomId of roomIds) await deps.bus.publish('room_rewritten', { roomId }).catch(() => undefined)
    await deps.sessions.cache.changed(sessionIds)
  }

  return {
    async start(experimentId, body, identity) {
      const { status } = await experiments.find(experimentId)
      if (status === 'archived')
        throw new AppError('STATUS_CONFLICT', { status }, 'An archived experiment cannot be tried.')
      const unstorable = findUnstorable(body.definition, limits.jsonDepth - 1, '/definition')
      if (unstorable) throw validationFailed([unstorable])
      const definition = await checked(body, identity, experimentId)
      const tryId = newExperimentId()
      const tried = triedDefinition(definition, body)
      const now = clock.now()
      const expiresAt = now + limits.tryLifetimeMs
      const outcome = await store.create({
        tryId,
        experimentId,
        definition: tried,
        media: namedFilesIn(studyOf(await experiments.filled(tried))),
        actor: signedBy(identity),
        now,
        expiresAt,
      })
      if (outcome === 'too_many') throw new AppError('ACTION_REFUSED', {}, tooMany)
      if (outcome === 'media_gone')
        throw validationFailed([
          { path: '/definition', message: 'names a video, picture or sound that has just been deleted' },
        ])
      return { tryId, link: linkTo(tryId), endsAt: expiresAt, seats: seatsOf(tried, body) }
    },
    async list(experimentId, identity) {
      const found = await store.list(experimentId, actorOf(identity))
      return {
        tries: found.map(({ tryId, createdAt, expiresAt }) => ({
          tryId,
          link: linkTo(tryId),
          createdAt,
          endsAt: expiresAt,
        })),
      }
    },
    async stop(experimentId, tryId, identity) {
      if (await store.isOwn({ tryId, experimentId, owner: actorOf(identity) })) await remove(tryId)
    },
    async sweep() {
      for (const tryId of await store.expired(clock.now(), maxPerSweep)) await remove(tryId)
    },
  }
}

const linkTo = (tryId: string): string => `/try/${tryId}`

const inDefinition = ({ path, message }: ValidationIssue): ValidationIssue => ({
  path: `/definition${path}`,
  message,
})
