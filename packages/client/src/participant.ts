import { consentEvents, participantCalls } from '@atrium/contract'
import { warnWhile, whenOnline } from './browser-events.ts'
import { completeWith, completionBody } from './complete.ts'
import { consentIn, needsConsent } from './consent.ts'
import { ApiRefused, ConsentRequired } from './errors.ts'
import { untilSafe } from './flush.ts'
import type { Participant, ParticipantOptions } from './participant-api.ts'
import { createParticipantCore } from './participant-core.ts'
import type { EventToRecord } from './participation.ts'
import { type Credential, sessionHeaders, withIdToken } from './session.ts'
import { uploadAnswerFile } from './upload/answer-file.ts'

const defaultTimeoutMs = 30_000

/** A person taking part: joins, records, completes. Nothing happens before `join`. */
export function createParticipant(options: ParticipantOptions): Participant {
  const core = createParticipantCore(options)
  const { deps, keeper, safety, joined } = core
  const { baseUrl, userAgent, http, clock, random } = deps
  const stopListening = whenOnline(() => core.call('hurry'))

  async function flush({ timeoutMs = defaultTimeoutMs } = {}): Promise<void> {
    const calmDown = joined().hurry()
    const waiting = { clock, onSafety: safety.add, stopped: keeper.stopped }
    await untilSafe(waiting, timeoutMs).finally(calmDown)
  }

  /** The consent answer, sent or pending: events recorded after a yes are sent after it. */
  let consent: { participantId: string; answer: 'given' | 'declined' } | undefined

  /** Of somebody who completed earlier: they cannot join again, but withdraw. */
  let former: Credential | undefined

  async function record(event: EventToRecord): Promise<string> {
    const session = keeper.current()
    const answer = consentIn([event])
    const isGiven = consent?.participantId === session?.participantId && consent?.answer === 'given'
    if (session && answer === undefined && needsConsent(session) && !isGiven) throw new ConsentRequired()
    const eventId = await joined().record(event)
    if (session && answer !== undefined) consent = { participantId: session.participantId, answer }
    return eventId
  }

  async function answerConsent(type: string, data: Record<string, unknown> = {}): Promise<void> {
    await record({ type, data })
    await flush()
  }

  const readMedia = () =>
    keeper.withSession((session) => http(participantCalls.mediaV4, { headers: sessionHeaders(session) }))

  return {
    get session() {
      return keeper.current() ?? null
    },
    get status() {
      return core.status()
    },
    onStatus: core.onStatus,
    async join(experimentId, more = {}) {
      const session = await keeper.join({ experimentId, ...more }).catch((error: unknown) => {
        former = withdrawableIn(error)
        throw error
      })
      await core.enter(session.participantId, experimentId)
      return session
    },
    get needsConsent() {
      const session = keeper.current()
      return session !== undefined && needsConsent(session)
    },
    giveConsent: (data) => answerConsent(consentEvents.given, data),
    declineConsent: (data) => answerConsent(consentEvents.declined, data),
    record,
    get networkDelayMs() {
      return core.deps.ownClock.networkDelayMs()
    },
    unsafe: core.unsafe,
    onSafety: safety.add,
    quarantined: async () => await joined().quarantined(),
    flush,
    async complete({ timeoutMs = defaultTimeoutMs, force = false, ...request }) {
      await flush({ timeoutMs }).catch((error: unknown) => {
        if (!force) throw error
      })
      const counts = await joined().counts()
      const body = completionBody(request, counts, clock.now() - core.startedAt())
      const completion = await completeWith({ http, clock, random, keeper }, body, timeoutMs)
      core.setStatus({ kind: 'completed' })
      return completion
    },
    async withdraw() {
      const session = keeper.current() ?? former
      if (!session) throw new Error('Join first.')
      // Not through `withSession`, which would join again, as somebody new, after a lost reply.
      await http(participantCalls.withdrawV4, { headers: sessionHeaders(session) })
      core.setStatus({ kind: 'completed' })
    },
    discover: () =>
      keeper.withSession((session) =>
        http(participantCalls.discoverV4, { headers: sessionHeaders(session) }),
      ),
    media: async () => (await readMedia()).videos,
    // A server of an older version names none.
    mediaFiles: async () => (await readMedia()).files ?? [],
    uploadFile: (componentId, file, name) =>
      uploadAnswerFile({ http, clock, random, keeper }, { componentId, file, name }),
    async history() {
      const ask = (headers: Record<string, string>) => http(participantCalls.historyV4, { headers })
      return (await withIdToken(options.getIdToken, ask)).sessions
    },
    warnWhileUnsafe: (window) => warnWhile(() => core.unsafe() > 0, window),
    async close() {
      stopListening()
      await core.close()
    },
    wiring: {
      baseUrl,
      userAgent,
      clock,
      random,
      ownClock: core.deps.ownClock,
      renew: keeper.renew,
      assignRoom: keeper.assignRoom,
      noteCompleted: () => core.setStatus({ kind: 'completed' }),
      countUnsafe: core.countUnsafe,
    },
  }
}

function withdrawableIn(error: unknown): Credential | undefined {
  const withdrawal = error instanceof ApiRefused ? error.details.withdrawal : undefined
  const { sessionId, sessionToken } = Object(withdrawal) as Record<string, unknown>
  return typeof sessionId === 'string' && typeof sessionToken === 'string'
    ? { sessionId, token: sessionToken }
    : undefined
}
