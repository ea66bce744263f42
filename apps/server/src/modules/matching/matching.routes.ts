import { checkDefinition, type DryRun, type ExperimentDefinition, matchingRoutes } from '@atrium/contract'
import type { Routes } from '../../http/route.ts'
import { validationFailed } from '../../kernel/app-error.ts'
import type { Experiments } from '../experiments/index.ts'
import { isDeclared, takesAny } from './assign-roles.ts'
import { matchingSettingsOf, type RoleQuota } from './matching-settings.ts'
import { type MatchingSimulation, simulationSteps } from './simulate-matching.ts'

/** How long a dry run may keep other requests waiting at a time. */
const sliceMs = 10
const usualSeed = 'dry-run'

export function addMatchingRoutes(routes: Routes, { experiments }: { experiments: Experiments }): void {
  routes.add(matchingRoutes.dryRun, async ({ params, body }) => {
    const { definition } = await experiments.read(params.experimentId)
    const settings = matchingSettingsOf(body.matching ? withMatching(definition, body.matching) : definition)
    refuseUnknownRoles(Object.keys(body.arrivals.roles ?? {}), settings.roles)
    return await runInSlices({ settings, arrivals: body.arrivals, seed: body.seed ?? usualSeed })
  })
}

/** The experiment as it would be, when it could be saved so. */
function withMatching(
  definition: ExperimentDefinition,
  matching: NonNullable<ExperimentDefinition['matching']>,
): ExperimentDefinition {
  const tried = { ...definition, matching }
  const issues = checkDefinition(tried)
  if (issues.length > 0) throw validationFailed(issues)
  return tried
}

function refuseUnknownRoles(named: readonly string[], declared: readonly RoleQuota[]): void {
  const unknown = named.filter((role) => role !== takesAny && !isDeclared(role, declared))
  if (unknown.length > 0)
    throw validationFailed(
      unknown.map((role) => ({
        path: `/arrivals/roles/${role}`,
        message: `there is no role called ‘${role}’`,
      })),
    )
}

/** M21 */
async function runInSlices(simulation: MatchingSimulation): Promise<DryRun> {
  const steps = simulationSteps(simulation)
  let sliceBegan = performance.now()
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    if (performance.now() - sliceBegan < sliceMs) continue
    await new Promise((resolve) => setImmediate(resolve))
    sliceBegan = performance.now()
  }
}
