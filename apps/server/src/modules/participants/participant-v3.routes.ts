import { participantRoutes } from '@atrium/contract'
import { idempotencyKeyOf, originOf } from '../../http/credentials.ts'
import type { Routes } from '../../http/route.ts'
import { validationFailed } from '../../kernel/app-error.ts'
import type { Identity } from '../identity/index.ts'
import { assignedRoleOf, languageOf, roomIdOf } from '../sessions/index.ts'
import { experimentConfigOf } from './experiment-config.ts'
import {
  consentedAtOf,
  type ParticipantDeps,
  parseEventRequest,
  recordEvents,
  recruitingSummaries,
  refuseForeignClaims,
} from './participant-requests.ts'

/** R21: the ID token comes with every call, the body names the experiment, and no response contains a session. */
export function addParticipantV3Routes(routes: Routes<Identity>, deps: ParticipantDeps): void {
  const { sessions } = deps
  routes.add(participantRoutes.discoverV3, async () => ({ experiments: await recruitingSummaries(deps) }))

  routes.add(participantRoutes.joinV3, async ({ identity, body, request }) => {
    const { session, definition } = await sessions.join(identity, body, originOf(request))
    return {
      participantId: session.participantId,
      roomId: roomIdOf(session),
      experimentConfig: experimentConfigOf(
        definition,
        assignedRoleOf(session, definition),
        languageOf(session),
      ),
      consentedAt: consentedAtOf(session),
    }
  })

  routes.addParsing(participantRoutes.eventsV3, parseEventRequest, async ({ identity, body, request }) => {
    if (body.experimentId === undefined)
      throw validationFailed([{ path: '/experimentId', message: 'is missing' }])
    const session = await sessions.ofPerson(identity, body.experimentId, originOf(request))
    refuseForeignClaims(session, body, ...body.events)
    return await recordEvents(deps, session, body, idempotencyKeyOf(request))
  })

  routes.add(participantRoutes.historyV3, async ({ identity }) => ({
    sessions: await sessions.participations(identity),
  }))
}
