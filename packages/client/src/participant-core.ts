import { type Call, systemClock } from './clock.ts'
import { NotJoined } from './errors.ts'
import { createHttp, type Fetch } from './http.ts'
import { createListeners } from './listeners.ts'
import { createOwnClock } from './own-clock.ts'
import type { ParticipantOptions, Wiring } from './participant-api.ts'
import { openParticipation, type Participation } from './participation.ts'
import { defaultQueueStore } from './queue/default-queue.ts'
import { createSafety } from './safety.ts'
import { createSessionKeeper } from './session.ts'
import type { ParticipantStatus } from './status.ts'
import { userAgentOf } from './user-agent.ts'

/** The parts of a participant: a session, one participation at a time, and the listeners of both. */
export function createParticipantCore(options: ParticipantOptions) {
  const deps = depsOf(options)
  const { baseUrl, clock } = deps
  const statuses = createListeners<ParticipantStatus>()
  const actionCounts = new Set<() => number>()
  let status: ParticipantStatus = { kind: 'idle' }
  let participation: Participation | undefined
  let startedAt = 0

  function setStatus(news: ParticipantStatus): void {
    status = news
    statuses.notify(news)
    safety.check()
  }
  const keeper = createSessionKeeper({
    ...deps,
    onStatus: setStatus,
    mayRejoin: () => participation?.mayRejoin() ?? true,
  })
  const unsafe = (): number =>
    [...actionCounts].reduce((sum, count) => sum + count(), participation?.unsafe() ?? 0)
  const safety = createSafety(() => {
    const state = participation?.state()
    return {
      pending: unsafe(),
      quarantined: state?.counts.quarantined ?? 0,
      isOnline: state?.isOnline ?? true,
      lastError: keeper.stopped() ?? state?.lastError,
    }
  })

  async function enter(participantId: string, experimentId: string): Promise<void> {
    // The participant's id stays the same when they resume and changes when they take part again (R14), so events of
    // one participation can never be sent as those of another.
    const key = `${baseUrl} ${experimentId} ${participantId}`
    if (participation?.key === key && participation.mayRejoin()) return participation.call('hurry')
    await participation?.close()
    startedAt = clock.now()
    participation = await openParticipation({
      ...deps,
      key,
      keeper,
      onRight: (isHeld) => setStatus({ kind: isHeld ? 'joined' : 'replaced' }),
      onChange: () => safety.check(),
    })
    safety.check()
  }

  return {
    deps,
    keeper,
    safety,
    setStatus,
    unsafe,
    enter,
    status: (): ParticipantStatus => status,
    onStatus: statuses.add,
    startedAt: (): number => startedAt,
    call: (call: Call): void => participation?.call(call),
    joined(): Participation {
      if (!participation) throw new NotJoined()
      return participation
    },
    countUnsafe(count: () => number): ReturnType<Wiring['countUnsafe']> {
      actionCounts.add(count)
      return { check: safety.check, remove: () => void actionCounts.delete(count) }
    },
    async close(): Promise<void> {
      keeper.close()
      deps.closing.abort()
      await participation?.close()
      setStatus({ kind: 'closed' })
    },
  }
}

function depsOf(options: ParticipantOptions) {
  const { getIdToken, clock = systemClock, random = Math.random } = options
  const baseUrl = options.baseUrl.replace(/\/+$/, '')
  const store = options.queueStore ?? defaultQueueStore()
  const userAgent = userAgentOf(options)
  const fetch: Fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init))
  const closing = new AbortController()
  const http = createHttp({ baseUrl, fetch, clock, userAgent, closing: closing.signal })
  const ownClock = createOwnClock(clock)
  return { baseUrl, getIdToken, clock, ownClock, random, store, userAgent, closing, http }
}
