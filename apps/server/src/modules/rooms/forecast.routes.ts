import { forecastRoutes } from '@atrium/contract'
import type { Routes } from '../../http/route.ts'
import type { HeavyWork } from '../../ports/heavy-work.ts'
import { type Experiments, refuseOversized } from '../experiments/index.ts'
import { actorOf } from '../identity/index.ts'

export interface ForecastRouteDeps {
  experiments: Experiments
  heavyWork: HeavyWork
}

export function addForecastRoutes(routes: Routes, { experiments, heavyWork }: ForecastRouteDeps): void {
  routes.add(forecastRoutes.payments, async ({ params: { experimentId }, body, identity }) => {
    const { people, definition: sent } = body
    if (sent !== undefined) refuseOversized(sent)
    const { revision } = await experiments.find(experimentId)
    const definition = sent ?? (await experiments.written(experimentId, revision))
    return await heavyWork.forecast({ definition, isSaved: sent === undefined, people }, actorOf(identity))
  })
}
