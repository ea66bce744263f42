import { activityMinutes, experimentRoutes, wholeNumberOf } from '@atrium/contract'
import type { Routes } from '../../http/route.ts'
import type { HeavyWork } from '../../ports/heavy-work.ts'
import type { EventExports } from '../events/index.ts'
import { actorOf } from '../identity/index.ts'
import type { Sessions } from '../sessions/index.ts'
import type { ExperimentAccesses } from './experiment-access.ts'
import type { ExperimentRecord } from './experiments.store.ts'
import type { Experiments } from './experiments.ts'
import { refuseOversized } from './parse-definition.ts'

export interface ExperimentRouteParts {
  experiments: Experiments
  accesses: ExperimentAccesses
  eventExports: EventExports
  sessions: Sessions
  heavyWork: HeavyWork
}

export function addExperimentRoutes(routes: Routes, parts: ExperimentRouteParts): void {
  const { experiments, accesses, eventExports, sessions, heavyWork } = parts
  routes.addParsing(experimentRoutes.create, ofBoundedSize, async ({ body, identity }) => {
    const { definition, warnings } = await heavyWork.checkDefinition(body, actorOf(identity))
    return { ...revised(await experiments.create(definition, actorOf(identity))), warnings }
  })
  routes.add(experimentRoutes.list, async ({ identity }) => ({ experiments: await accesses.list(identity) }))
  routes.add(experimentRoutes.read, async ({ params, access }) => ({
    ...(await experiments.read(params.experimentId)),
    access,
  }))
  routes.addParsing(experimentRoutes.revise, ofBoundedSize, async ({ params, body, identity }) => {
    const { definition, warnings } = await heavyWork.checkDefinition(body, actorOf(identity))
    return {
      ...revised(await experiments.revise(params.experimentId, definition, actorOf(identity))),
      warnings,
    }
  })
  routes.add(experimentRoutes.changeStatus, async ({ params, body, identity }) =>
    revised(await experiments.changeStatus(params.experimentId, body.status, actorOf(identity))),
  )
  routes.add(experimentRoutes.export, async ({ params, identity, request, reply }) => {
    await experiments.find(params.experimentId)
    return await eventExports.start({
      experimentId: params.experimentId,
      actor: actorOf(identity),
      requestId: request.id,
      to: reply.raw,
      onBroken: (broken) => request.log.warn(broken, 'an export broke off'),
    })
  })
  routes.add(experimentRoutes.monitor, async ({ params }) => await experiments.monitor(params.experimentId))
  routes.add(
    experimentRoutes.activity,
    async ({ params, query }) =>
      await experiments.activity(params.experimentId, wholeNumberOf(query.minutes, activityMinutes)),
  )
  routes.add(
    experimentRoutes.revokeSession,
    async ({ params, identity }) => await sessions.revoke(params.sessionId, actorOf(identity)),
  )
}

const revised = ({ experimentId, revision, status }: ExperimentRecord) => ({ experimentId, revision, status })

/** What is too large or too deep is refused here, before it is handed to another thread. */
function ofBoundedSize(body: unknown): unknown {
  refuseOversized(body)
  return body
}
