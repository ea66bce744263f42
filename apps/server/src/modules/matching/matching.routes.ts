import { matchingRoutes, stageOf } from '@atrium/contract'
import type { Routes } from '../../http/route.ts'
import type { HeavyWork } from '../../ports/heavy-work.ts'
import type { Experiments } from '../experiments/index.ts'
import { actorOf } from '../identity/index.ts'
import { matchingPartOf } from './dry-run.ts'

const usualSeed = 'dry-run'

export interface MatchingRouteDeps {
  experiments: Experiments
  heavyWork: HeavyWork
}

export function addMatchingRoutes(routes: Routes, { experiments, heavyWork }: MatchingRouteDeps): void {
  routes.add(matchingRoutes.dryRun, async ({ params, body, identity }) => {
    const { definition: written } = await experiments.read(params.experimentId)
    const definition = stageOf(written, null)
    const task = {
      definition: matchingPartOf(definition),
      ...(body.matching && { matching: body.matching }),
      arrivals: body.arrivals,
      seed: body.seed ?? usualSeed,
    }
    return await heavyWork.dryRun(task, actorOf(identity))
  })
}
