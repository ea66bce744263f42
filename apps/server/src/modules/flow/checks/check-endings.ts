import {
  assertNever,
  type Component,
  componentTypeOf,
  type ExperimentDefinition,
  roleIdsOf,
  type State,
  type ValidationIssue,
} from '@atrium/contract'
import { type Findings, finding, pointer } from './findings.ts'

export type TakesResponse = (component: Component) => boolean

/** States that can never end, and states that may never end. */
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
      const isAnswerable = state.components.some(
        (component) => takesResponse(component) && viewersOf(component, viewers).size > 0,
      )
      return isBounded || isAnswerable ? errors() : errors(finding(path, unanswerable(state.id)))
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
  if (!media) return [`the state ‘${state.id}’ has no component called ‘${componentId}’`]
  if (!componentTypeOf(media.type).isMedia)
    return [`‘${componentId}’ is of type ${media.type}; only a video or an audio can end`]
  return viewersOf(media, viewers).size > 0 ? [] : [`nobody in the state ‘${state.id}’ gets ‘${componentId}’`]
}

const unseen = (id: string) => `the state ‘${id}’ never ends: no role sees its button`
const unanswerable = (id: string) =>
  `the state ‘${id}’ never ends: nobody in it sees a component that takes a response, and it has no afterMs`
const mayNeverHold = (id: string) =>
  `the state ‘${id}’ ends only when its condition holds; give it afterMs in case that never happens`
