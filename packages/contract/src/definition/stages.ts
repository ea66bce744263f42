import { type ExperimentDefinition, roleIdsOf, type WrittenDefinition } from './definition.ts'
import type { Stage } from './stage.ts'

/** What each stage says for itself, so that it is not said above the stages. */
export const fieldsOfStages = ['states', 'blocks', 'roles', 'matching', 'dropout', 'network'] as const

/** What the stage is called that is stored as null where it is the first; null where there are no stages. */
export const stageIdOf = (
  { stages }: Pick<WrittenDefinition, 'stages'>,
  stage: string | null,
): string | null => stage ?? stages?.[0]?.id ?? null

/** R68: the study as a whole, with the states, blocks and roles of all its stages. What has no stages is one stage. */
export function studyOf(written: WrittenDefinition): ExperimentDefinition {
  const { stages } = written
  if (!stages) return { ...written, states: written.states ?? [] }
  const blocks = stages.flatMap((stage) => stage.blocks ?? [])
  const roles = new Map(
    stages.flatMap((stage) => (stage.roles ?? []).map((role) => [roleIdsOf({ roles: [role] })[0], role])),
  )
  return {
    ...written,
    states: stages.flatMap(({ states }) => states),
    ...(blocks.length > 0 && { blocks }),
    ...(roles.size > 0 && { roles: [...roles.values()] }),
  }
}

/**
 * What is played in one stage, the first where none is named, as if the study were only that. Agents whose role it does not have sit it out, and
 * components that are shown in states of other stages are not there.
 */
export function stageOf(written: WrittenDefinition, stageId: string | null): ExperimentDefinition {
  const stage = written.stages?.find(({ id }) => id === stageId) ?? written.stages?.[0]
  return stage ? playedIn(written, stage) : studyOf(written)
}

function playedIn(
  { globalComponents, agents, conditions, ...shared }: WrittenDefinition,
  { id: _id, when: _when, ...own }: Stage,
): ExperimentDefinition {
  const known = new Set(own.states.map(({ id }) => id))
  const roles = new Set(roleIdsOf(own))
  const globals = globalComponents?.flatMap(({ states, ...component }) => {
    const here = states?.filter((id) => known.has(id))
    return here?.length === 0 ? [] : [{ ...component, ...(here && { states: here }) }]
  })
  const seated = agents?.filter(({ role }) => role === undefined || roles.has(role))
  const assigned = own.conditions ?? conditions
  return {
    ...shared,
    ...own,
    ...(globals && { globalComponents: globals }),
    ...(seated && { agents: seated }),
    ...(assigned && { conditions: assigned }),
  }
}
