import { tryRoutes } from '@atrium/contract'
import type { Routes } from '../../http/route.ts'
import type { Identity } from '../identity/index.ts'
import type { Tries } from './tries.ts'

export function addTryRoutes(routes: Routes<Identity>, tries: Tries): void {
  routes.add(
    tryRoutes.start,
    async ({ params, body, identity }) => await tries.start(params.experimentId, body, identity),
  )
  routes.add(tryRoutes.list, async ({ params, identity }) => await tries.list(params.experimentId, identity))
  routes.add(tryRoutes.stop, async ({ params, identity }) => {
    const { experimentId, tryId } = params
    await tries.stop(experimentId, tryId, identity)
    return { tryId }
  })
}
