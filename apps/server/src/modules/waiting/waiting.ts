import type { WaitingStatus } from '@atrium/contract'
import type { WaitingPerson } from '../../ports/waiting-queue.ts'
import { attributesFor, type MatchingSettings, matchingSettingsOf } from '../matching/index.ts'
import { selectPod } from '../ownership/index.ts'
import { hasConsent, type SessionRecord } from '../sessions/index.ts'
import { createRounds } from './rounds.ts'
import { endOf, type Waiter } from './waiter.ts'
import { beatMs, graceMs, type WaitingDeps } from './waiting-deps.ts'
import { readsTheSame, waitingStatusOf } from './waiting-status.ts'

/** A participant who waits through a socket of this instance. */
interface Local {
  waiter: Waiter
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

  const localsOf = (experimentId: string): Local[] =>
    [...here].filter(({ waiter }) => waiter.session.experimentId === experimentId)

  /** Reports these people as present, and sends them what has changed for them. */
  async function keep(experimentId: string, locals: Local[]): Promise<void> {
    const now = clock.now()
    const people = locals.map(({ person }) => person)
    const { places, waiting } = await queue.keep(experimentId, people, now + graceMs, now)
    const recentArrivals = await queue.arrivalsSince(experimentId, now - recentMs)
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
    }
    for (const local of over) {
      here.delete(local)
      linger(local.waiter)
    }
    // Not those who have only lost this session: they may wait under the next one, and keep their position.
    const done = over.filter(({ waiter }) => !mayWaitAgain(found.get(waiter.session.sessionId)))
    for (const [experimentId, some] of Map.groupBy(done, ({ waiter }) => waiter.session.experimentId))
      await queue.leave(
        experimentId,
        some.map(({ person }) => person.participantId),
      )
  }

  function linger(waiter: Waiter): void {
    if (!waiter.isGone()) lingering.add(waiter)
  }

  async function beat(): Promise<void> {
    beats++
    const experimentIds = new Set([...here].map(({ waiter }) => waiter.session.experimentId))
    const kept = [...experimentIds].map((id) => keep(id, localsOf(id)).catch(onBackgroundError))
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
      const { experimentId, revision, participantId, role, metadata } = session
      const settings = matchingSettingsOf(await experiments.definition(experimentId, revision))
      const attributes = attributesFor(settings, metadata)
      const person = { participantId, arrivedAt: clock.now(), revision, role, attributes }
      const local: Local = { waiter, settings, person, told: undefined }
      if (waiter.isGone()) return
      here.add(local)
      await keep(experimentId, [local])
      await bus.publish('waiting_changed', { experimentId })
    },

    gone(waiter) {
      lingering.delete(waiter)
      for (const local of here) if (local.waiter === waiter) here.delete(local)
    },

    async leave({ session }) {
      const { experimentId, participantId } = session
      const left = await queue.leave(experimentId, [participantId])
      if (left.length === 0) return false
      for (const local of here) if (local.person.participantId === participantId) here.delete(local)
      await sessions.leaveWaiting([participantId])
      return true
    },

    present: async (experimentId) => (await queue.view(experimentId, clock.now())).people,

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
