import type { ValidationIssue } from '@atrium/contract'
import {
  anyRole,
  type ExperimentDefinition,
  endOfExperiment,
  redirectIssue,
  roleIdsOf,
  StateEnd,
  startOfTry,
} from '@atrium/contract'
import { nearestName } from '@atrium/contract/components'
import { checkAgents } from './check-agents.ts'
import { checkAppearance } from './check-appearance.ts'
import { checkComposition } from './check-composition.ts'
import { checkMatching } from './check-matching.ts'
import { checkNetwork } from './check-network.ts'
import { checkPayment } from './check-payment.ts'
import { checkRecruiting } from './check-recruiting.ts'

/**
 * Checks what a schema cannot express: references, duplicates, impossible sizes. Each issue has a message and a path
 * into the definition.
 */
export function checkDefinition(definition: ExperimentDefinition): ValidationIssue[] {
  return [
    ...duplicateIds(definition),
    ...unknownStates(definition),
    ...unknownRoles(definition),
    ...unknownEndFields(definition),
    ...misplacedOutcomes(definition),
    ...checkMatching(definition),
    ...checkNetwork(definition),
    ...checkComposition(definition),
    ...badRedirect(definition),
    ...checkRecruiting(definition),
    ...unknownPayoff(definition),
    ...checkPayment(definition),
    ...checkAgents(definition),
    ...checkAppearance(definition),
  ]
}

function duplicateIds(definition: ExperimentDefinition): ValidationIssue[] {
  const globals = definition.globalComponents ?? []
  const globalIds = new Set(globals.map((component) => component.id))
  return [
    ...repeated(definition.states, (index) => `/states/${index}/id`, 'state'),
    ...repeated(definition.blocks ?? [], (index) => `/blocks/${index}/id`, 'block'),
    ...repeated(
      roleIdsOf(definition).map((id) => ({ id })),
      (index) => `/roles/${index}`,
      'role',
    ),
    ...repeated(globals, (index) => `/globalComponents/${index}/id`, 'global component'),
    ...definition.states.flatMap((state, at) => [
      ...repeated(state.components, (index) => `/states/${at}/components/${index}/id`, 'component'),
      ...state.components.flatMap((component, index) =>
        globalIds.has(component.id)
          ? [
              issue(
                `/states/${at}/components/${index}/id`,
                `‘${component.id}’ is already the id of a global component`,
              ),
            ]
          : [],
      ),
    ]),
  ]
}

function repeated(
  items: { id: string }[],
  pathOf: (index: number) => string,
  noun: string,
): ValidationIssue[] {
  const seen = new Set<string>()
  return items.flatMap(({ id }, index) => {
    if (!seen.has(id)) {
      seen.add(id)
      return []
    }
    return [issue(pathOf(index), `duplicate ${noun} id ‘${id}’`)]
  })
}

function unknownStates(definition: ExperimentDefinition): ValidationIssue[] {
  const known = new Set(definition.states.map((state) => state.id))
  const blocks = new Set((definition.blocks ?? []).map((block) => block.id))
  const missing = (id: string, path: string) =>
    known.has(id) ? [] : [issue(path, `state ‘${id}’ does not exist`)]
  return [
    ...definition.states.flatMap((state, at) =>
      state.id === endOfExperiment
        ? [issue(`/states/${at}/id`, `the id ‘${endOfExperiment}’ is reserved for the end of the experiment`)]
        : state.id === startOfTry
          ? [issue(`/states/${at}/id`, `the id ‘${startOfTry}’ is reserved for trying the experiment`)]
          : [
              ...(state.next ?? []).flatMap(({ to }, index) =>
                to === endOfExperiment ? [] : missing(to, `/states/${at}/next/${index}/to`),
              ),
              ...(state.end?.onTimeout?.to === undefined || state.end.onTimeout.to === endOfExperiment
                ? []
                : missing(state.end.onTimeout.to, `/states/${at}/end/onTimeout/to`)),
            ],
    ),
    ...(definition.blocks ?? []).flatMap((block, at) =>
      block.states.flatMap((id, index) =>
        blocks.has(id) ? [] : missing(id, `/blocks/${at}/states/${index}`),
      ),
    ),
    ...(definition.globalComponents ?? []).flatMap((component, at) =>
      (component.states ?? []).flatMap((id, index) => missing(id, `/globalComponents/${at}/states/${index}`)),
    ),
  ]
}

function unknownRoles(definition: ExperimentDefinition): ValidationIssue[] {
  const known = new Set([anyRole, ...roleIdsOf(definition)])
  const missing = (roles: readonly string[] | undefined, path: string) =>
    (roles ?? []).flatMap((id, index) =>
      known.has(id) ? [] : [issue(`${path}/roles/${index}`, `role ‘${id}’ does not exist`)],
    )
  return [
    ...definition.states.flatMap((state, at) => [
      ...missing(state.roles, `/states/${at}`),
      ...state.components.flatMap((component, index) =>
        missing(component.roles, `/states/${at}/components/${index}`),
      ),
    ]),
    ...(definition.globalComponents ?? []).flatMap((component, at) =>
      missing(component.roles, `/globalComponents/${at}`),
    ),
  ]
}

/** R61: a union of forms accepts fields of the others, and earlier versions stored them, so the schema is not strict. */
export function unknownEndFields({ states }: ExperimentDefinition): ValidationIssue[] {
  return states.flatMap(({ end }, at) => {
    const form = StateEnd.anyOf.find(({ properties }) => properties.on.const === end?.on)
    const known = Object.keys(form?.properties ?? {})
    return Object.keys(end ?? {})
      .filter((name) => !known.includes(name))
      .map((name) => {
        const meant = nearestName(name, known)
        return issue(
          `/states/${at}/end/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
          `an end of the kind ‘${end?.on}’ has no ‘${name}’${meant === undefined ? '' : `; did you mean ‘${meant}’?`}`,
        )
      })
  })
}

/** R57: only the end can have an outcome, and only a state with a deadline can have `onTimeout`. */
function misplacedOutcomes({ states }: ExperimentDefinition): ValidationIssue[] {
  return states.flatMap(({ next = [], end }, at) => {
    const { onTimeout } = end ?? {}
    const path = `/states/${at}/end/onTimeout`
    return [
      ...next.flatMap(({ to, outcome }, index) =>
        outcome === undefined || to === endOfExperiment
          ? []
          : [
              issue(
                `/states/${at}/next/${index}/outcome`,
                `only a transition to ‘${endOfExperiment}’ can have an outcome; this one goes to ‘${to}’`,
              ),
            ],
      ),
      ...(onTimeout?.outcome !== undefined && (onTimeout.to ?? endOfExperiment) !== endOfExperiment
        ? [
            issue(
              `${path}/outcome`,
              `only a deadline that goes to ‘${endOfExperiment}’ can have an outcome; this one goes to ‘${onTimeout.to}’`,
            ),
          ]
        : []),
      ...(onTimeout && end?.afterMs === undefined
        ? [issue(path, 'requires afterMs; without it the state has no deadline')]
        : []),
      ...(onTimeout && onTimeout.to === undefined && onTimeout.outcome === undefined
        ? [issue(path, 'needs ‘to’, ‘outcome’ or both')]
        : []),
    ]
  })
}

function badRedirect({ completion }: ExperimentDefinition): ValidationIssue[] {
  const message = completion?.redirectUrl ? redirectIssue(completion.redirectUrl) : undefined
  return message === undefined ? [] : [issue('/completion/redirectUrl', message)]
}

function unknownPayoff({ completion, variables = {} }: ExperimentDefinition): ValidationIssue[] {
  const named = [
    { path: '/completion/payoff', name: completion?.payoff },
    { path: '/completion/payment/bonus', name: completion?.payment?.bonus },
  ]
  return named.flatMap(({ path, name }) =>
    name === undefined || Object.hasOwn(variables, name)
      ? []
      : [issue(path, `variable ‘${name}’ does not exist`)],
  )
}

const issue = (path: string, message: string): ValidationIssue => ({ path, message })
