import { type DryRun, type ExperimentDefinition, variableOf } from '@atrium/contract'
import { checkDefinition, groupSizeIssues, partIssues } from '@atrium/definition-checks'
import { validationFailed } from '../../kernel/app-error.ts'
import type { DryRunTask } from '../../ports/heavy-work.ts'
import { matchingSettingsOf, type RoleQuota } from './matching-settings.ts'
import { isDeclared, takesAny } from './proposal/assign-roles.ts'
import { simulateMatching } from './simulation/simulate-matching.ts'

/** M20: how matching would go, with the experiment's settings or with others that could be saved in their place. */
export function dryRun({ definition, matching, arrivals, seed }: DryRunTask): DryRun {
  const tried = matching ? { ...definition, matching } : definition
  if (matching) refuseUnsound(tried)
  refuseUnknownVariables(Object.keys(arrivals.variables ?? {}), definition)
  const settings = matchingSettingsOf(tried)
  refuseUnknownRoles(Object.keys(arrivals.roles ?? {}), settings.roles)
  return simulateMatching({ settings, arrivals, seed })
}

/** The part of a definition that a dry run needs; the rest may be a megabyte. */
export const matchingPartOf = ({
  name,
  roles,
  capacity,
  matching,
  variables = {},
}: ExperimentDefinition) => ({
  name,
  states: [],
  variables: Object.fromEntries(
    Object.entries(variables).flatMap(([variable, declared]) =>
      variableOf(declared).scope === 'participant' ? [[variable, { scope: 'participant' as const }]] : [],
    ),
  ),
  ...(roles && { roles }),
  ...(capacity !== undefined && { capacity }),
  ...(matching && { matching }),
})

function refuseUnsound(definition: ExperimentDefinition): void {
  const issues = [
    ...groupSizeIssues(definition.matching),
    ...checkDefinition(definition),
    ...partIssues(definition),
  ]
  if (issues.length > 0) throw validationFailed(issues)
}

function refuseUnknownVariables(named: readonly string[], { variables = {} }: ExperimentDefinition): void {
  const unknown = named.filter((name) => !Object.hasOwn(variables, name))
  if (unknown.length > 0)
    throw validationFailed(
      unknown.map((name) => ({
        path: `/arrivals/variables/${name}`,
        message: `the study declares no participant variable ‘${name}’; a field of the link goes into ‘attributes’`,
      })),
    )
}

function refuseUnknownRoles(named: readonly string[], declared: readonly RoleQuota[]): void {
  const unknown = named.filter((role) => role !== takesAny && !isDeclared(role, declared))
  if (unknown.length > 0)
    throw validationFailed(
      unknown.map((role) => ({
        path: `/arrivals/roles/${role}`,
        message: `role ‘${role}’ does not exist`,
      })),
    )
}
