import { participantRoutes } from '@atrium/contract'
import type { Routes } from '../../http/route.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Experiments } from '../experiments/index.ts'
import type { Identity } from '../identity/index.ts'
import type { Privacy } from '../privacy/index.ts'
import type { SessionRecord } from '../sessions/index.ts'
import { refuseForeignClaims } from './participant-requests.ts'

export interface WithdrawalDeps {
  experiments: Experiments
  privacy: Privacy
}

/** R48: where the experiment allows it, participants delete themselves. */
export function addWithdrawalRoute(
  routes: Routes<Identity, SessionRecord>,
  { experiments, privacy }: WithdrawalDeps,
): void {
  routes.add(participantRoutes.withdrawV4, async ({ session, query }) => {
    refuseForeignClaims(session, query)
    const { experimentId, participantId, revision } = session
    const { withdrawal: scope } = await experiments.definition(experimentId, revision)
    if (scope === undefined)
      throw new AppError('ACTION_REFUSED', {}, 'This study does not let you delete your data yourself.')
    await privacy.erase({
      experimentId,
      participantId,
      scope,
      actor: 'participant',
      requestedBy: 'participant',
    })
    return { deleted: scope }
  })
}
