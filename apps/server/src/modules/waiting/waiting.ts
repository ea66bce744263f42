import type { WaitingStatus } from '@atrium/contract'
import type { WaitingPerson } from '../../ports/waiting-queue.ts'
import { attributesFor, type MatchingSettings, matchingSettingsOf } from '../matching/index.ts'
import { selectPod } from '../ownership/index.ts'
import { hasConsent, type SessionRecord } from '../sessions/index.ts'
import { queueIdOf, queuesOf, stageOfQueue } from './queue-of-stage.ts'
import { createRounds } from './rounds.ts'
import { endOf, type Waiter } from './waiter.ts'
import { beatMs, graceMs, type WaitingDeps } from './waiting-deps.ts'
import { readsTheSame, waitingStatusOf } from './waiting-status.ts'

/** A participant who waits through a socket of this instance. */
interface Local {
  waiter: Waiter
  /** Of the stage that they wait for. */
  queueId: string
  settings: MatchingSettings
  person: WaitingPerson
  told: WaitingStatus | undefined
}

/** How far back arrivals are used to estimate the next ones. */
const recentMs = 10 * 60_000
/** R15 allows 5 s. The bus is faster; this is for when it fails. */
const checkEveryBeats = 3

export interface Waiting {
  start(): void
  /** Starts or resumes waiting; a participant who already has a room, or whose wait is over, learns that instead. */
  enter(waiter: Waiter): Promise<void>
  /** The socket is gone. A participant who does not return within the grace period is no longer matched. */
  gone(waiter: Waiter): void
  /** Leaves voluntarily. A participant who was matched at this very moment has a room and learns so. */
  leave(waiter: Waiter): Promise<boolean>
  /** For researchers: who waits and is connected, in order of arrival. */
  present(experimentId: string): Promise<WaitingPerson[]>
  stop(): Promise<void>
}

/** The waiting room: presence, positions in the queue, matching, and the rooms that result. */
// One function, because presence, checks and the beat all change who is here.
export function createWaiting(deps: WaitingDeps): Waiting {
  const { queue, sessions, experiments, bus, clock, onBackgroundError } = deps
  const here = new Set<Local>()
  /** Participants who have been told of a room and stay connected. */
  const lingering = new Set<Waiter>()
  const rounds = createRounds(deps)
  let timer: NodeJS.Timeout | undefined
  let beats = 0
  let isStopped = false

  const localsOf = (queueId: string): Local[] => [...here].filter((local) => local.queueId === queueId)

  /** Reports these people as present, and sends them what has changed for them. */
  async function keep(queueId: string, locals: Local[]): Promise<void> {
    const { experimentId, stage } = stageOfQueue(queueId)
    const now = clock.now()
    const people = locals.map(({ person }) => person)
    const { places, waiting } = await queue.keep(queueId, people, now + graceMs, now)
    const recentArrivals = await queue.arrivalsSince(queueId, now - recentMs)
    const pods = await deps.pods.list()
    const claimed: Local[] = []
    for (const [index, local] of locals.entries()) {
      const place = places[index]
      if (!place || place.position === null) {
        claimed.push(local)
        continue
      }
      const { position, arrivedAt } = place
      const { settings } = local
      local.person = { ...local.person, arrivedAt }
      const hasCapacity = selectPod(pods, settings.min, now, deps.heartbeatMs) !== undefined
      const standing = {
        experimentId,
        stage,
        position,
        arrivedAt,
        waiting,
        settings,
        recentArrivals,
        hasCapacity,
        now,
      }
      sendStatus(local, waitingStatusOf(standing))
    }
    if (claimed.length > 0) await checkSessions(claimed)
  }

  /** Reads the sessions of these participants: those who have a room, or no session any more, learn so and stop waiting. */
  async function checkSessions(locals: Local[]): Promise<void> {
    if (locals.length === 0) return
    const ids = [...new Set(locals.map(({ waiter }) => waiter.session.sessionId))]
    const found = new Map((await sessions.readMany(ids)).map((session) => [session.sessionId, session]))
    const over: Local[] = []
    for (const local of locals) {
      const session = found.get(local.waiter.session.sessionId)
      if (!session || (await isOver(deps, local.waiter, session))) over.push(local)
      // R68: they wait for another stage by now.
      else if (queueIdOf(session) !== local.queueId) await begin(local.waiter, session)
    }
    for (const local of over) {
      here.delete(local)
      linger(local.waiter)
    }
    // Not those who have only lost this session: they may wait under the next one, and keep their position.
    const done = over.filter(({ waiter }) => !mayWaitAgain(found.get(waiter.session.sessionId)))
    for (const [queueId, some] of Map.groupBy(done, (local) => local.queueId))
      await queue.leave(
        queueId,
        some.map(({ person }) => person.participantId),
      )
  }

  async function begin(waiter: Waiter, session: SessionRecord): Promise<void> {
    const { experimentId, revision, participantId, role, metadata, stage } = session
    const settings = matchingSettingsOf(await experiments.stage(experimentId, revision, stage))
    const variables = stage === null ? {} : await deps.roomStore.variablesOf(participantId)
    const attributes = attributesFor(settings, metadata, variables)
    const person = { participantId, arrivedAt: clock.now(), revision, role, attributes }
    const queueId = queueIdOf(session)
    const local: Local = { waiter, queueId, settings, person, told: undefined }
    if (waiter.isGone()) return
    for (const former of here) if (former.waiter === waiter) here.delete(former)
    here.add(local)
    await keep(queueId, [local])
    await bus.publish('waiting_changed', { experimentId: queueId })
  }

  function linger(waiter: Waiter): void {
    if (!waiter.isGone()) lingering.add(waiter)
  }

  async function beat(): Promise<void> {
    beats++
    const queueIds = new Set([...here].map(({ queueId }) => queueId))
    const kept = [...queueIds].map((id) => keep(id, localsOf(id)).catch(onBackgroundError))
    await Promise.all(kept)
    if (beats % checkEveryBeats === 0) {
      await checkSessions([...here]).catch(onBackgroundError)
      await dismissEnded(sessions, [...lingering]).catch(onBackgroundError)
    }
    deps.onCounted(here.size, [...here].filter(({ told }) => told?.held === 'capacity').length)
    if (!isStopped) rounds.makeProgress().catch(onBackgroundError)
  }

  function beatLater(): void {
    if (isStopped) return
    timer = setTimeout(() => void beat().catch(onBackgroundError).finally(beatLater), beatMs)
    timer.unref()
  }

  bus.subscribe('sessions_changed', ({ sessionIds }) => {
    const changed = new Set(sessionIds)
    const locals = [...here].filter(({ waiter }) => changed.has(waiter.session.sessionId))
    checkSessions(locals).catch(onBackgroundError)
    const others = [...lingering].filter(({ session }) => changed.has(session.sessionId))
    dismissEnded(sessions, others).catch(onBackgroundError)
  })
  return {
    start: beatLater,

    async enter(waiter) {
      const session = await sessions.readAgain(waiter.session.sessionId)
      if (await isOver(deps, waiter, session)) return linger(waiter)
      await begin(waiter, session)
    },

    gone(waiter) {
      lingering.delete(waiter)
      for (const local of here) if (local.waiter === waiter) here.delete(local)
    },

    async leave({ session }) {
      const { participantId } = session
      const waits = [...here].find(({ person }) => person.participantId === participantId)
      const left = await queue.leave(waits?.queueId ?? queueIdOf(session), [participantId])
      if (left.length === 0) return false
      for (const local of here) if (local.person.participantId === participantId) here.delete(local)
      await sessions.leaveWaiting([participantId])
      return true
    },

    async present(experimentId) {
      const { revision } = await experiments.find(experimentId)
      const { stages = [] } = await experiments.written(experimentId, revision)
      const now = clock.now()
      const queues = queuesOf(experimentId, stages)
      const views = await Promise.all(queues.map((queueId) => queue.view(queueId, now)))
      return views.flatMap(({ people }) => people)
    },

    async stop() {
      isStopped = true
      clearTimeout(timer)
      await rounds.stop()
    },
  }
}

function sendStatus(local: Local, status: WaitingStatus): void {
  if (local.told && readsTheSame(local.told, status)) return
  local.told = status
  local.waiter.send('waiting_status', status)
}

/** Whether the wait has ended, which is sent; a participant who gave up their place (R56) needs another one to keep waiting. */
async function isOver(
  { sessions, clock }: WaitingDeps,
  waiter: Waiter,
  session: SessionRecord,
): Promise<boolean> {
  if (endOf(waiter, session, clock.now())) return true
  if (session.holdsPlace || (await sessions.waitAgain(session))) return false
  waiter.send('waiting_ended', { reason: 'full', completionCode: null, redirectUrl: '' })
  return true
}

const mayWaitAgain = (session: SessionRecord | undefined): boolean =>
  session !== undefined &&
  session.roomId === null &&
  session.status !== 'completed' &&
  session.holdsPlace &&
  hasConsent(session)

/** R15: a connection ends with its session, even when nothing more would have been sent on it. */
async function dismissEnded(sessions: WaitingDeps['sessions'], waiters: readonly Waiter[]): Promise<void> {
  if (waiters.length === 0) return
  const ended = await sessions.endedAmong(waiters.map(({ session }) => session.sessionId))
  for (const waiter of waiters) {
    const status = ended.get(waiter.session.sessionId)
    if (status === undefined) continue
    if (status !== 'without_consent') waiter.send('session_ended', { status })
    waiter.close()
  }
}
