import { experimentRoutes } from '@atrium/contract'
import type { Routes } from '../../http/route.ts'
import type { ExperimentAccesses, Experiments } from '../experiments/index.ts'
import { actorOf, type Identity } from '../identity/index.ts'
import type { EventExports } from './event-exports.ts'

export interface EventRouteDeps {
  experiments: Experiments
  accesses: ExperimentAccesses
  eventExports: EventExports
}

export function addEventRoutes(
  routes: Routes<Identity>,
  { experiments, accesses, eventExports }: EventRouteDeps,
): void {
  routes.add(experimentRoutes.export, async ({ params, identity, request, reply }) => {
    await experiments.find(params.experimentId)
    return await eventExports.start({
      experimentId: params.experimentId,
      actor: actorOf(identity),
      requestId: request.id,
      to: reply.raw,
      askAgain: () => accesses.admit(experimentRoutes.export, params, identity),
      onBroken: (broken) => request.log.warn(broken, 'an export broke off'),
    })
  })
}
