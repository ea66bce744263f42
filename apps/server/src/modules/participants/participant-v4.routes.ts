import { participantRoutes } from '@atrium/contract'
import { mediaUsesIn, videoUsesIn } from '@atrium/contract/components'
import { idempotencyKeyOf, originOf } from '../../http/credentials.ts'
import type { Routes } from '../../http/route.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Identity } from '../identity/index.ts'
import type { Media } from '../media/index.ts'
import { assignedRoleOf, languageOf, roomIdOf, type SessionRecord } from '../sessions/index.ts'
import { experimentConfigOf } from './experiment-config.ts'
import {
  consentedAtOf,
  type ParticipantDeps,
  parseEventRequest,
  recordEvents,
  recruitingSummaries,
  refuseForeignClaims,
} from './participant-requests.ts'

export function addParticipantV4Routes(
  routes: Routes<Identity, SessionRecord>,
  deps: ParticipantDeps & { media: Pick<Media, 'playable' | 'files'> },
  clock: Clock,
): void {
  const { sessions, experiments, media } = deps
  routes.add(participantRoutes.discoverV4, async ({ session, query }) => {
    refuseForeignClaims(session, query)
    const expiresIn = Math.max(0, Math.floor((session.expiresAt - clock.now()) / 1000))
    return { experiments: await recruitingSummaries(deps), session: { valid: true, expiresIn } }
  })

  routes.add(participantRoutes.mediaV4, async ({ session, query }) => {
    refuseForeignClaims(session, query)
    // R32, R38: nobody plays anything before they are in a room and have agreed to take part.
    const current = session.roomId === null ? await sessions.readAgain(session.sessionId) : session
    if (current.roomId === null || !(await sessions.hasConsent(current))) return { videos: [], files: [] }
    const definition = await experiments.filled(
      await experiments.definition(current.experimentId, current.revision),
    )
    const role = assignedRoleOf(current, definition)
    const videoIds = new Set(videoUsesIn(definition, role).map(({ videoId }) => videoId))
    const uses = mediaUsesIn(definition, role)
    return {
      videos: await media.playable([...videoIds]),
      files: await media.files.playable(current.experimentId, current.revision, uses),
    }
  })

  routes.add(participantRoutes.joinV4, async ({ identity, body, request }) => {
    const { session, sessionToken, definition } = await sessions.join(identity, body, originOf(request))
    return {
      sessionId: session.sessionId,
      sessionToken,
      participantId: session.participantId,
      roomId: roomIdOf(session),
      role: session.role,
      experimentConfig: experimentConfigOf(
        definition,
        assignedRoleOf(session, definition),
        languageOf(session),
      ),
      consentedAt: consentedAtOf(session),
      expiresAt: new Date(session.expiresAt).toISOString(),
    }
  })

  routes.addParsing(
    participantRoutes.eventsV4,
    parseEventRequest,
    async ({ session, body, query, request }) => {
      refuseForeignClaims(session, query, body, ...body.events)
      return await recordEvents(deps, session, body, idempotencyKeyOf(request))
    },
  )

  routes.add(participantRoutes.completeV4, async ({ session, body, query }) => {
    refuseForeignClaims(session, query, body)
    // Clients name the outcome `completionCode`; the answer has the code for it under the same name.
    const { completionCode: named, ...rest } = body
    // R38: without consent there is only one way out.
    if (session.completion === null && named !== 'NO_CONSENT') await sessions.requireConsent(session)
    const { outcome, completionCode, redirectUrl, payment } = await sessions.complete(session, {
      ...rest,
      outcome: named,
    })
    return { outcome, completionCode, redirectUrl, sessionEnded: true, ...(payment && { payment }) }
  })

  routes.add(participantRoutes.historyV4, async ({ identity }) => ({
    sessions: await sessions.history(identity),
  }))
}
