import { prolificRoutes } from '@atrium/contract'
import type { Routes } from '../../http/route.ts'
import type { Identity } from '../identity/index.ts'
import type { Recruiting } from './recruiting.ts'

export function addRecruitingRoutes(routes: Routes<Identity>, recruiting: Recruiting): void {
  routes.add(prolificRoutes.bonusFile, async ({ params, query, identity, reply }) => {
    const text = await recruiting.bonusFile(params.experimentId, query.site ?? 'prolific', identity)
    reply.type('text/csv; charset=utf-8; header=absent')
    reply.header('content-disposition', 'attachment; filename="bonuses.csv"')
    return text
  })
  routes.add(prolificRoutes.read, async ({ params }) => await recruiting.read(params.experimentId))
  routes.add(
    prolificRoutes.connect,
    async ({ params, body, identity }) => await recruiting.connect(params.experimentId, body.token, identity),
  )
  routes.add(
    prolificRoutes.disconnect,
    async ({ params, identity }) => await recruiting.disconnect(params.experimentId, identity),
  )
  routes.add(
    prolificRoutes.createStudy,
    async ({ params, body, identity }) => await recruiting.createStudy(params.experimentId, body, identity),
  )
  routes.add(
    prolificRoutes.submissions,
    async ({ params }) => await recruiting.submissions(params.experimentId, params.studyId),
  )
  routes.add(
    prolificRoutes.approve,
    async ({ params, identity }) => await recruiting.approve(params, identity),
  )
  routes.add(
    prolificRoutes.payBonus,
    async ({ params, body, identity }) => await recruiting.payBonus(params, body.amount, identity),
  )
  routes.add(
    prolificRoutes.settleBonus,
    async ({ params, body, identity }) => await recruiting.settleBonus(params, body.isPaid, identity),
  )
}
