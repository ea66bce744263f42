import { keyRoutes, keysPerPage, wholeNumberOf } from '@atrium/contract'
import type { Routes } from '../../http/route.ts'
import { validationFailed } from '../../kernel/app-error.ts'
import type { Identity } from '../identity/index.ts'
import type { Keys } from './keys.ts'

export interface KeyRouteDeps {
  keys: Keys
  /** Those among the ids that the researcher may not see, or that do not exist. */
  hiddenExperiments(experimentIds: readonly string[], identity: Identity): Promise<Set<string>>
}

export function addKeyRoutes(routes: Routes<Identity>, { keys, hiddenExperiments }: KeyRouteDeps): void {
  routes.add(keyRoutes.create, async ({ body, identity }) => {
    const { experiments = [] } = body
    // Asked as for the key, which is no administrator.
    const hidden = await hiddenExperiments(experiments, { ...identity, isAdmin: false })
    const issues = experiments.flatMap((id, at) => {
      if (experiments.indexOf(id) < at)
        return [{ path: `/experiments/${at}`, message: 'is listed more than once' }]
      return hidden.has(id)
        ? [{ path: `/experiments/${at}`, message: `there is no experiment ‘${id}’ that you may see` }]
        : []
    })
    if (issues.length > 0) throw validationFailed(issues)
    return await keys.create(body, identity)
  })
  routes.add(
    keyRoutes.list,
    async ({ identity, query }) =>
      await keys.list(identity, {
        limit: wholeNumberOf(query.limit, keysPerPage),
        before: query.before ?? null,
      }),
  )
  routes.add(keyRoutes.revoke, async ({ params, identity }) => {
    await keys.revoke(params.keyId, identity)
    return { success: true }
  })
}
