import { experimentRoutes } from '@atrium/contract'
import type { Routes } from '../../http/route.ts'
import type { ExperimentAccesses, Experiments } from '../experiments/index.ts'
import { type Identity, signedBy } from '../identity/index.ts'
import type { EventExports } from './event-exports.ts'
import type { ExportPosition } from './events.store.ts'
import type { Events } from './events.ts'

export interface EventRouteDeps {
  experiments: Experiments
  accesses: ExperimentAccesses
  eventExports: EventExports
  events: Pick<Events, 'exportPage'>
}

export function addEventRoutes(
  routes: Routes<Identity>,
  { experiments, accesses, eventExports, events }: EventRouteDeps,
): void {
  routes.add(experimentRoutes.export, async ({ params, query, identity, request, reply }) => {
    const { experimentId } = params
    await experiments.find(experimentId)
    const source = query.synthetic === 'true' ? 'pilots' : 'people'
    return await eventExports.start({
      experimentId,
      table: 'events',
      filters: source === 'pilots' ? { synthetic: true } : {},
      read: (after: ExportPosition | null) => events.exportPage(experimentId, after, source),
      actor: signedBy(identity),
      requestId: request.id,
      to: reply.raw,
      askAgain: () => accesses.admit(experimentRoutes.export, params, identity),
      onBroken: (broken) => request.log.warn(broken, 'an export broke off'),
    })
  })
}
