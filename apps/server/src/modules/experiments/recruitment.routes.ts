import { recruitmentRoutes, recruitsPerPage, wholeNumberOf } from '@atrium/contract'
import type { Routes } from '../../http/route.ts'
import type { Clock } from '../../kernel/clock.ts'
import { actorOf } from '../identity/index.ts'
import type { AuditEntry } from '../operations/index.ts'
import type { Experiments } from './experiments.ts'

export interface RecruitmentRouteDeps {
  experiments: Experiments
  clock: Clock
  audit(entry: AuditEntry): Promise<void>
}

/** The one place where it is told who somebody is. R47: for owners and admins, nobody else with access to the study. */
export function addRecruitmentRoutes(
  routes: Routes,
  { experiments, clock, audit }: RecruitmentRouteDeps,
): void {
  routes.add(recruitmentRoutes.list, async ({ params, query, identity }) => {
    const page = await experiments.recruits(params.experimentId, {
      limit: wholeNumberOf(query.limit, recruitsPerPage),
      after: query.after ?? null,
    })
    await audit({
      at: clock.now(),
      actor: actorOf(identity),
      action: 'recruiting_ids_read',
      subject: params.experimentId,
      details: { participants: page.participants.length },
    })
    return page
  })
}
