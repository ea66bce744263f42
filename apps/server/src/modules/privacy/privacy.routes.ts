import { privacyRoutes } from '@atrium/contract'
import type { Routes } from '../../http/route.ts'
import type { EventExports } from '../events/index.ts'
import type { ExperimentAccesses } from '../experiments/index.ts'
import { type Identity, signedBy } from '../identity/index.ts'
import type { PersonPosition } from './privacy.store.ts'
import type { Privacy } from './privacy.ts'

export interface PrivacyRouteDeps {
  privacy: Privacy
  accesses: ExperimentAccesses
  eventExports: EventExports
}

export function addPrivacyRoutes(
  routes: Routes<Identity>,
  { privacy, accesses, eventExports }: PrivacyRouteDeps,
): void {
  routes.add(privacyRoutes.export, async ({ params, identity, request, reply }) => {
    await privacy.requireKnown(params)
    const lines = await eventExports.start({
      experimentId: params.experimentId,
      table: 'person',
      filters: {},
      read: (after: PersonPosition | null) => privacy.page(params, after),
      actor: signedBy(identity),
      requestId: request.id,
      to: reply.raw,
      askAgain: () => accesses.admit(privacyRoutes.export, params, identity),
      onBroken: (broken) => request.log.warn(broken, 'an export broke off'),
    })
    reply.type('application/json; charset=utf-8')
    reply.header('content-disposition', `attachment; filename="${params.participantId}.json"`)
    return lines
  })
  routes.add(privacyRoutes.erase, async ({ params, query, identity }) => {
    const { scope } = query
    await privacy.erase({ ...params, scope, actor: signedBy(identity), requestedBy: 'researcher' })
    return { participantId: params.participantId, scope }
  })
}
