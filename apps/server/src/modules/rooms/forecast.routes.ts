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
    const isSaved = sent === undefined
    if (!isSaved) refuseOversized(sent)
    const { revision } = await experiments.find(experimentId)
    const definition = isSaved ? await experiments.written(experimentId, revision) : sent
    return await heavyWork.forecast({ definition, isSaved, people }, actorOf(identity))
  })
}
