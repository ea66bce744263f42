import {
  elseOf,
  endOfExperiment,
  fieldsOfStages,
  studyOf,
  type ValidationIssue,
  variableOf,
  type WrittenDefinition,
} from '@atrium/contract'
import { expressionIssues } from '@atrium/expressions'

/** R68: what stages say of each other. What each says for itself is checked as if the study were that stage alone. */
export function checkStages(written: WrittenDefinition): ValidationIssue[] {
  const { stages } = written
  if (!stages)
    return written.states ? waysFrom(written.matching, '/matching', []) : [issue('/states', 'is missing')]
  return [
    ...fieldsOfStages.flatMap((field) =>
      written[field] === undefined
        ? []
        : [issue(`/${field}`, `belongs to a stage where a study has stages; move it into ‘stages’`)],
    ),
    ...(written.timeLimit
      ? [issue('/timeLimit', 'cannot span stages; put the states of a stage into a block, and limit that')]
      : []),
    ...repeatedIds(written),
    ...stages.flatMap(({ id }, at) =>
      id === endOfExperiment
        ? [issue(`/stages/${at}/id`, `‘${endOfExperiment}’ is the end of the experiment`)]
        : [],
    ),
    ...strangers(written),
    ...waysOn(written),
    ...conditionsOfStages(written),
    ...roomConditions(written),
  ]
}

/** Answers and records say in which state they were given, not in which stage. */
function repeatedIds({ stages = [] }: WrittenDefinition): ValidationIssue[] {
  const seen = new Map<string, string>()
  const repeated = (noun: string, id: string, path: string): ValidationIssue[] => {
    const key = `${noun} ${id}`
    const before = seen.get(key)
    seen.set(key, path)
    return before === undefined || stageIn(before) === stageIn(path)
      ? []
      : [issue(path, `${noun} ‘${id}’ exists in another stage as well; give it another id`)]
  }
  const ids = stages.map(({ id }) => id)
  return stages.flatMap(({ id, states, blocks = [] }, at) => [
    ...(ids.indexOf(id) < at ? [issue(`/stages/${at}/id`, `duplicate stage id ‘${id}’`)] : []),
    ...states.flatMap((state, index) => repeated('state', state.id, `/stages/${at}/states/${index}/id`)),
    ...blocks.flatMap((block, index) => repeated('block', block.id, `/stages/${at}/blocks/${index}/id`)),
  ])
}

const stageIn = (path: string): string => path.split('/')[2] ?? ''

/** What names a state or role of no stage; each stage leaves out what is not for it. */
function strangers(written: WrittenDefinition): ValidationIssue[] {
  const { states, roles = [] } = studyOf(written)
  const stateIds = new Set(states.map(({ id }) => id))
  const roleIds = new Set(roles.map((role) => (typeof role === 'string' ? role : role.id)))
  return [
    ...(written.globalComponents ?? []).flatMap(({ states: named = [] }, at) =>
      named.flatMap((id, index) =>
        stateIds.has(id)
          ? []
          : [issue(`/globalComponents/${at}/states/${index}`, `state ‘${id}’ does not exist`)],
      ),
    ),
    ...(written.agents ?? []).flatMap(({ role }, at) =>
      role === undefined || roleIds.has(role)
        ? []
        : [issue(`/agents/${at}/role`, `role ‘${role}’ does not exist in any stage`)],
    ),
  ]
}

function waysOn({ stages = [] }: WrittenDefinition): ValidationIssue[] {
  const ids = stages.map(({ id }) => id)
  return stages.flatMap(({ matching }, at) => waysFrom(matching, `/stages/${at}/matching`, ids.slice(at + 1)))
}

/** People only ever go on. */
function waysFrom(
  matching: WrittenDefinition['matching'],
  path: string,
  later: readonly string[],
): ValidationIssue[] {
  const target = elseOf(matching)?.to
  return target === undefined || target === endOfExperiment || later.includes(target)
    ? []
    : [issue(`${path}/onDeadline/to`, `there is no stage ‘${target}’ after this one`)]
}

function conditionsOfStages({ stages = [], variables = {} }: WrittenDefinition): ValidationIssue[] {
  const own = new Set(
    Object.keys(variables).filter((name) => variableOf(variables[name]).scope === 'participant'),
  )
  const names = {
    roomVariables: new Set<string>(),
    participantVariables: own,
    components: new Set<string>(),
    forEach: 'participant' as const,
  }
  return stages.flatMap(({ when }, at) => {
    if (when === undefined) return []
    const path = `/stages/${at}/when`
    if (at === 0) return [issue(path, 'everybody begins with the first stage; leave it out')]
    return expressionIssues(when, names).map((message) =>
      issue(path, `${message}; whether somebody plays a stage follows from variables of participants`),
    )
  })
}

/** Conditions above the stages go with people, so that they cannot be those of a room. */
function roomConditions({ stages = [], conditions }: WrittenDefinition): ValidationIssue[] {
  if (!conditions) return []
  const others = stages.flatMap((stage, at) =>
    stage.conditions
      ? [issue(`/stages/${at}/conditions`, 'the whole study has conditions already; have them in one place')]
      : [],
  )
  if (others.length > 0 || conditions.per === 'participant') return others
  return stages.length > 1
    ? [
        issue(
          '/conditions',
          'belong to a room, and people change rooms between stages; give them to the stage, or set ‘per’ to ‘participant’',
        ),
      ]
    : []
}

const issue = (path: string, message: string): ValidationIssue => ({ path, message })
