import { shareRoutes } from '@atrium/contract'
import type { Routes } from '../../http/route.ts'
import type { Identity } from '../identity/index.ts'
import type { ExperimentAccesses } from './experiment-access.ts'

export function addShareRoutes(routes: Routes<Identity>, accesses: ExperimentAccesses): void {
  routes.add(shareRoutes.read, async ({ params }) => ({ shares: await accesses.shares(params.experimentId) }))
  routes.add(shareRoutes.replace, async ({ params, body, identity }) => ({
    shares: await accesses.share(params.experimentId, body.shares, identity),
  }))
}
