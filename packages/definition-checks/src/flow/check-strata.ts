import {
  type ExperimentDefinition,
  groupSizeOf,
  identifyingParameters,
  type ValidationIssue,
} from '@atrium/contract'
import { hasOwnConditions } from '@atrium/flow'
import type { DeclaredNames } from './definition-names.ts'
import { finding, pointer } from './findings.ts'

/** F70: what people cannot be divided by before they get their conditions. */
export function strataIssues(
  definition: ExperimentDefinition,
  { roomVariables }: DeclaredNames,
): ValidationIssue[] {
  const { strata = [] } = definition.conditions ?? {}
  if (strata.length === 0) return []
  if (groupSizeOf(definition).max > 1 && !hasOwnConditions(definition))
    return [
      finding(
        pointer('conditions', 'strata'),
        'people in a room share its condition, so it cannot depend on who they are; use per: "participant", or leave strata out',
      ),
    ]
  return strata.flatMap((name, index) => {
    const path = pointer('conditions', 'strata', index)
    if (identifyingParameters.has(name))
      return [
        finding(path, `‘${name}’ is a different one for each person, so there is nothing to balance by it`),
      ]
    return roomVariables.has(name)
      ? [
          finding(
            path,
            `‘${name}’ is a room variable; strata divide people, by a parameter of their link or a participant variable`,
          ),
        ]
      : []
  })
}

/**
 * F70: links may carry anything, so that a name which is no variable is taken for one of their parameters. Where another name of the
 * study is close to it, it is probably misspelt.
 */
export function strataWarnings(
  definition: ExperimentDefinition,
  { participantVariables, roomVariables, components, silent, suggest }: DeclaredNames,
): ValidationIssue[] {
  const carried = fieldsOfLinks(definition)
  const answered = [...components].filter((id) => !silent.has(id))
  const isKnown = (name: string): boolean =>
    participantVariables.has(name) || roomVariables.has(name) || carried.has(name)
  return (definition.conditions?.strata ?? []).flatMap((name, index) => {
    if (isKnown(name) || identifyingParameters.has(name)) return []
    const path = pointer('conditions', 'strata', index)
    if (answered.includes(name))
      return [
        finding(
          path,
          `‘${name}’ is a question and no variable, so people are divided by a parameter of their link that is called so; to divide them by their answer, give the question ‘saveTo’ and name that variable here`,
        ),
      ]
    const meant = suggest(name, [...participantVariables, ...carried, ...roomVariables, ...answered])
    return meant === undefined
      ? []
      : [
          finding(
            path,
            `‘${name}’ is no participant variable, so it is taken for a parameter of the link; did you mean ‘${meant}’?`,
          ),
        ]
  })
}

/** Those that the study names elsewhere. */
function fieldsOfLinks({ matching }: ExperimentDefinition): ReadonlySet<string> {
  const { filters = [], balance = [], exclusions = [] } = matching ?? {}
  return new Set([
    ...filters.map(({ attribute }) => attribute),
    ...balance,
    ...exclusions.flatMap((pair) =>
      typeof pair === 'string' ? [] : 'same' in pair ? pair.same : pair.different,
    ),
  ])
}
