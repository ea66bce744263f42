import { revisionRoutes, revisionsPerPage, wholeNumberOf } from '@atrium/contract'
import type { Routes } from '../../http/route.ts'
import type { Experiments } from './experiments.ts'

/** What participants of earlier revisions saw stays readable. */
export function addRevisionRoutes(routes: Routes, experiments: Experiments): void {
  routes.add(
    revisionRoutes.list,
    async ({ params, query }) =>
      await experiments.revisions(params.experimentId, {
        limit: wholeNumberOf(query.limit, revisionsPerPage),
        before: query.before === undefined ? null : Number(query.before),
      }),
  )
  routes.add(
    revisionRoutes.read,
    async ({ params }) => await experiments.readRevision(params.experimentId, Number(params.revision)),
  )
}
