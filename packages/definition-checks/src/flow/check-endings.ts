import {
  assertNever,
  type Component,
  type ExperimentDefinition,
  roleIdsOf,
  type State,
  type ValidationIssue,
} from '@atrium/contract'
import { componentTypeOf, isRequired } from '@atrium/contract/components'
import { type Findings, finding, pointer } from './findings.ts'

export type TakesResponse = (component: Component) => boolean

/** States that can never end, states that may never end, and states that nobody gets to see. */
export function checkEndings(definition: ExperimentDefinition, takesResponse: TakesResponse): Findings {
  const found = definition.states.map((state, at) => endingFindings(definition, state, at, takesResponse))
  return {
    errors: found.flatMap(({ errors }) => errors),
    warnings: found.flatMap(({ warnings }) => warnings),
  }
}

function endingFindings(
  definition: ExperimentDefinition,
  state: State,
  at: number,
  takesResponse: TakesResponse,
): Findings {
  const end = state.end ?? { on: 'button' as const }
  const viewers = viewersOf(state, new Set(['participant', ...roleIdsOf(definition)]))
  const path = pointer('states', at, 'end')
  const errors = (...issues: ValidationIssue[]): Findings => ({ errors: issues, warnings: [] })
  const isBounded = 'afterMs' in end && end.afterMs !== undefined
  switch (end.on) {
    case 'timed':
      return errors()
    case 'button':
      return viewers.size > 0 ? errors() : errors(finding(pointer('states', at), unseen(state.id)))
    case 'all_responded':
    case 'any_responded': {
      const answerable = state.components.filter(
        (component) => takesResponse(component) && viewersOf(component, viewers).size > 0,
      )
      if (!isBounded && answerable.length === 0) return errors(finding(path, unanswerable(state.id)))
      const isAwaited = end.on === 'any_responded' || answerable.some(isRequired)
      return isAwaited ? errors() : { errors: [], warnings: [finding(path, overAtOnce(state.id))] }
    }
    case 'media_ended':
      return errors(
        ...mediaIssues(state, end.componentId, viewers).map((message) =>
          finding(pointer('states', at, 'end', 'componentId'), message),
        ),
      )
    case 'condition':
      return isBounded ? errors() : { errors: [], warnings: [finding(path, mayNeverHold(state.id))] }
    default:
      return assertNever(end)
  }
}

/** The roles that see it; all of them if it names none. */
const viewersOf = ({ roles }: { roles?: string[] }, among: ReadonlySet<string>): ReadonlySet<string> =>
  roles ? new Set(roles.filter((role) => among.has(role))) : among

function mediaIssues(state: State, componentId: string, viewers: ReadonlySet<string>): string[] {
  const media = state.components.find(({ id }) => id === componentId)
  if (!media) return [`state ‘${state.id}’ has no component ‘${componentId}’`]
  if (componentTypeOf(media.type).plays === null)
    return [`‘${componentId}’ has the type ${media.type}; only video or audio can end a state`]
  return viewersOf(media, viewers).size > 0 ? [] : [`nobody in state ‘${state.id}’ sees ‘${componentId}’`]
}

const unseen = (id: string) => `state ‘${id}’ never ends, because no role sees its button`
const unanswerable = (id: string) =>
  `state ‘${id}’ never ends: it has no afterMs, and nobody in it sees a component that accepts responses`
const overAtOnce = (id: string) =>
  `state ‘${id}’ is over as soon as it begins, because it waits for required answers and nothing in it is required`
const mayNeverHold = (id: string) =>
  `state ‘${id}’ ends only if its condition becomes true; set afterMs in case it never does`
