import type { Matching, ValidationIssue } from '@atrium/contract'
import {
  type ExperimentDefinition,
  type elseOf,
  endOfExperiment,
  groupSizeOf,
  rolesOfPeople,
} from '@atrium/contract'

/** Finds groups that can never form and settings that contradict each other. */
export function checkMatching(definition: ExperimentDefinition): ValidationIssue[] {
  const { matching } = definition
  return [
    ...impossibleSizes(definition),
    ...impossibleRoles(definition),
    ...(matching
      ? [
          ...impossibleDeadline(definition),
          ...emptyFilters(matching),
          ...tooManyValues(matching),
          ...contradictions(matching),
          ...tooFewValues(definition, matching),
        ]
      : []),
  ]
}

function impossibleSizes(definition: ExperimentDefinition): ValidationIssue[] {
  const { min, max } = groupSizeOf(definition)
  const issues: ValidationIssue[] = []
  if (min > max)
    issues.push(
      issue('/matching/groupSize', `the smallest group (${min}) is larger than the largest (${max})`),
    )
  if (definition.capacity !== undefined && definition.capacity < min)
    issues.push(issue('/capacity', `a capacity of ${definition.capacity} can never fill a group of ${min}`))
  return issues
}

function impossibleRoles(definition: ExperimentDefinition): ValidationIssue[] {
  const { min, max } = groupSizeOf(definition)
  const declared = (definition.roles ?? []).map((role) => ({
    min: 0,
    max: Infinity,
    ...(typeof role === 'string' ? { id: role } : role),
  }))
  const crossed = declared.flatMap((role, at) =>
    role.min > role.max
      ? [
          issue(
            `/roles/${at}`,
            `role ‘${role.id}’ requires at least ${role.min} participants but allows at most ${role.max}`,
          ),
        ]
      : [],
  )
  if (declared.length === 0 || crossed.length > 0) return crossed
  const roles = rolesOfPeople(definition)
  const needed = sum(roles.map((role) => role.min))
  if (needed > max)
    return [issue('/roles', `the roles require ${needed} people, but a group has at most ${max}`)]
  const places = sum(roles.map((role) => role.max))
  if (places < min)
    return [issue('/roles', `the roles have places for ${places} people, but a group has at least ${min}`)]
  return roles.flatMap((role) =>
    role.min === 0 && needed === max && !isOfAgents(definition, role.id)
      ? [
          issue(
            `/roles/${declared.findIndex(({ id }) => id === role.id)}`,
            `no group has a place for role ‘${role.id}’: the other roles take all ${max} places`,
          ),
        ]
      : [],
  )
}

/** R43: agents sit beside the group, so their role needs no place in it. */
const isOfAgents = ({ agents = [] }: ExperimentDefinition, id: string): boolean =>
  agents.some(({ role, seats = 0 }) => role === id && seats > 0)

function impossibleDeadline(definition: ExperimentDefinition): ValidationIssue[] {
  const { deadlineMs, onDeadline = 'wait' } = definition.matching ?? {}
  if (onDeadline === 'wait') return []
  const path = '/matching/onDeadline'
  const named = typeof onDeadline === 'object' ? 'to' : onDeadline
  if (deadlineMs === undefined)
    return [issue(path, `‘${named}’ requires deadlineMs; without it there is no deadline`)]
  if (groupSizeOf(definition).max === 1 && onDeadline !== 'end_paid')
    return [issue(path, `‘${named}’ applies only to groups; with one person per room, nobody waits`)]
  return typeof onDeadline === 'object' ? impossibleElse(onDeadline, path) : []
}

/** R68: whether there is such a stage, the whole study knows. */
const impossibleElse = (
  { to, outcome }: NonNullable<ReturnType<typeof elseOf>>,
  path: string,
): ValidationIssue[] =>
  to === endOfExperiment || outcome === undefined
    ? []
    : [issue(`${path}/outcome`, `only ‘${endOfExperiment}’ can have an outcome; this goes to ‘${to}’`)]

const emptyFilters = ({ filters = [] }: Matching): ValidationIssue[] =>
  filters.flatMap((filter, at) => {
    const path = `/matching/filters/${at}`
    const { min, max } = filter
    if (filter.in === undefined && min === undefined && max === undefined)
      return [issue(path, `the filter for ‘${filter.attribute}’ needs ‘in’, ‘min’ or ‘max’`)]
    if (min !== undefined && max !== undefined && min > max)
      return [issue(path, `nobody can match this filter: min (${min}) is greater than max (${max})`)]
    return []
  })

const maxFilterValues = 1_000

/** Each value is compared with every waiting participant. */
function tooManyValues({ filters = [] }: Matching): ValidationIssue[] {
  const values = sum(filters.map((filter) => filter.in?.length ?? 0))
  return values > maxFilterValues
    ? [
        issue(
          '/matching/filters',
          `the filters list ${values} values in total; the limit is ${maxFilterValues}`,
        ),
      ]
    : []
}

function contradictions({ exclusions = [], balance = [] }: Matching): ValidationIssue[] {
  const unshared = new Set(exclusions.flatMap((rule) => sameIn(rule)))
  const common = new Set(exclusions.flatMap((rule) => differentIn(rule)))
  return [
    ...exclusions.flatMap((rule, at) =>
      differentIn(rule).flatMap((attribute) =>
        unshared.has(attribute)
          ? [
              issue(
                `/matching/exclusions/${at}`,
                `excluding both the same and different values of ‘${attribute}’ means that nobody can share a room`,
              ),
            ]
          : [],
      ),
    ),
    ...balance.flatMap((attribute, at) =>
      common.has(attribute)
        ? [
            issue(
              `/matching/balance/${at}`,
              `‘${attribute}’ cannot be balanced, because an exclusion separates people who differ in it`,
            ),
          ]
        : [],
    ),
  ]
}

/** A group whose members must all differ needs at least one value per member. */
function tooFewValues(definition: ExperimentDefinition, matching: Matching): ValidationIssue[] {
  const { min } = groupSizeOf(definition)
  return (matching.exclusions ?? []).flatMap((rule, at) =>
    sameIn(rule).flatMap((attribute) => {
      const lists = (matching.filters ?? []).flatMap((filter) =>
        filter.attribute === attribute && filter.in ? [new Set(filter.in).size] : [],
      )
      const values = Math.min(...lists)
      return values < min
        ? [
            issue(
              `/matching/exclusions/${at}`,
              `a group of ${min} needs ${min} different values of ‘${attribute}’, but the filters allow only ${values}`,
            ),
          ]
        : []
    }),
  )
}

type Exclusion = NonNullable<Matching['exclusions']>[number]
const sameIn = (rule: Exclusion): string[] => (typeof rule === 'object' && 'same' in rule ? [rule.same] : [])
const differentIn = (rule: Exclusion): string[] =>
  typeof rule === 'object' && 'different' in rule ? [rule.different] : []

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
const issue = (path: string, message: string): ValidationIssue => ({ path, message })
