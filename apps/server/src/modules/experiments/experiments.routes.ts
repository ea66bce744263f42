import { activityMinutes, experimentRoutes, wholeNumberOf } from '@atrium/contract'
import type { Routes } from '../../http/route.ts'
import type { HeavyWork } from '../../ports/heavy-work.ts'
import { actorOf, type Identity } from '../identity/index.ts'
import type { ExperimentAccesses } from './experiment-access.ts'
import type { ExperimentRecord } from './experiments.store.ts'
import type { Experiments } from './experiments.ts'
import { refuseOversized } from './parse-definition.ts'

export interface ExperimentRouteDeps {
  experiments: Experiments
  accesses: ExperimentAccesses
  heavyWork: HeavyWork
}

export function addExperimentRoutes(
  routes: Routes<Identity>,
  { experiments, accesses, heavyWork }: ExperimentRouteDeps,
): void {
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
  routes.add(experimentRoutes.monitor, async ({ params }) => await experiments.monitor(params.experimentId))
  routes.add(
    experimentRoutes.activity,
    async ({ params, query }) =>
      await experiments.activity(params.experimentId, wholeNumberOf(query.minutes, activityMinutes)),
  )
}

const revised = ({ experimentId, revision, status }: ExperimentRecord) => ({ experimentId, revision, status })

/** Refuses a definition that is too large or too deep before it is handed to another thread. */
function ofBoundedSize(body: unknown): unknown {
  refuseOversized(body)
  return body
}
