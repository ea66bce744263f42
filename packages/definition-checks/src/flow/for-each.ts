import {
  type Component,
  type ExperimentDefinition,
  groupSizeOf,
  limits,
  maxListedGroup,
  type State,
  type ValidationIssue,
} from '@atrium/contract'
import { canBeAskedForEach, componentTypeOf, isForEach, isKnownType } from '@atrium/contract/components'
import { fieldReadAt, nodesIn, parseExpression, type Source, type Sources } from '@atrium/expressions'
import { type Findings, finding, pointer } from './findings.ts'
import { tooLongAboutEach } from './for-each-length.ts'
import { tooMuchAboutEach } from './for-each-work.ts'

// F59: components that are asked once for each other member of the room (R62).

/** Reading everyone’s values for everyone, and asking everyone about everyone, grows with the square of the group. */
export const maxOthers = maxListedGroup

/** The sources of a component: in one that is asked for each of the others, `each` is who is asked about. */
export const withEach = (sources: Sources, component: Component | undefined): Sources => {
  const each = sources.get('each')
  if (!each || !component || !isForEach(component)) return sources
  const { refused: _, ...here } = each
  return new Map([...sources, ['each', here]])
}

export const eachSource = (fields: ReadonlySet<string>, example: string): Source => ({
  ...{ fields, example, of: 'a participant variable', isOwn: true },
  refused:
    '‘each’ is one of the others, and only the texts, settings and conditions of a component with "forEach": "others" or "neighbours" have one',
})

/** What the others have answered about somebody. */
export function receivedSource(components: readonly Component[]): Source {
  const fields = new Set(components.filter(isForEach).map(({ id }) => id))
  const [example = 'points'] = fields
  return {
    ...{ fields, example, of: 'a component that is asked for each of the others', isOwn: true },
    ...(fields.size === 0 && {
      refused:
        'no component is asked for each of the others; give one "forEach": "others", or use responses.x for everyone’s responses',
    }),
  }
}

export function checkForEach(definition: ExperimentDefinition): Findings {
  const ofAgents = (definition.agents ?? []).reduce((sum, { seats = 0 }) => sum + seats, 0)
  const max = groupSizeOf(definition).max + ofAgents
  const found: Findings = { errors: [], warnings: [] }
  for (const [at, state] of definition.states.entries()) {
    for (const [index, component] of state.components.entries()) {
      if (!isForEach(component)) continue
      const path = pointer('states', at, 'components', index)
      const errors = [...whetherPossible(component, max), ...mixedCondition(component)]
      found.errors.push(...errors.map(([name, message]) => finding(`${path}/${name}`, message)))
      const tooLong = errors.length > 0 ? undefined : tooLongAboutEach(component, max - 1)
      if (tooLong) found[tooLong.isError ? 'errors' : 'warnings'].push(finding(path, tooLong.message))
    }
    found.errors.push(...longPage(state, at, max - 1))
    if (max <= maxOthers) found.errors.push(...tooMuchAboutEach(definition, state, at, max))
  }
  return found
}

/** As long as a whole definition may be: without such components, no page is longer, and everyone in the room is sent theirs. */
const maxCharacters = limits.bodyBytes

function longPage({ id, components }: State, at: number, others: number): ValidationIssue[] {
  const characters = components
    .filter(isForEach)
    .reduce((sum, component) => sum + JSON.stringify(component).length * others, 0)
  if (characters <= maxCharacters || others >= maxOthers) return []
  const message = `with its questions about up to ${others} others, a page of ‘${id}’ has ${characters} characters; the limit is ${maxCharacters}. Shorten the questions, ask them in several states, or make the groups smaller`
  return [finding(pointer('states', at), message)]
}

type Named = [name: string, message: string]

function whetherPossible(component: Component, max: number): Named[] {
  const { type } = component
  if (!isKnownType(type) || !canBeAskedForEach(componentTypeOf(type)))
    return [
      [
        'forEach',
        `‘${type}’ cannot be asked for each of the others: only questions can that are answered on the page and sent with its button, other than files`,
      ],
    ]
  if (max < 2)
    return [
      [
        'forEach',
        'there are no others: the study is for one person at a time; set matching.groupSize, or remove it',
      ],
    ]
  if (max > maxOthers)
    return [['forEach', `can be used in groups of up to ${maxOthers} people; these have up to ${max}`]]
  if ('correct' in component)
    return [
      [
        'correct',
        'has no effect on a question that is asked for each of the others; score the answers in onEnd',
      ],
    ]
  return []
}

/** Whom it asks about is decided by the server, what is entered by the page. */
function mixedCondition({ when }: Component): Named[] {
  const parsed = when === undefined ? undefined : parseExpression(when)
  if (!parsed?.ok) return []
  const read = new Set([...nodesIn(parsed.expression.root)].map((node) => fieldReadAt(node)?.source))
  return read.has('each') && read.has('answers')
    ? [
        [
          'when',
          '‘each’ and ‘answers’ cannot stand in one condition of a component: who is asked about does not follow what is being entered',
        ],
      ]
    : []
}
