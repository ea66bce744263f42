import {
  type Component,
  changeComponentTexts,
  type ExperimentDefinition,
  type State,
  type ValidationIssue,
  variableOf,
} from '@atrium/contract'
import { conditionsOfEntries, isForEach, liveSettingsOf } from '@atrium/contract/components'
import {
  type Expression,
  enteredSource,
  fieldReadAt,
  nodesIn,
  parseExpression,
  parseTemplate,
} from '@atrium/expressions'
import { finding, pointer } from './findings.ts'

// F59: what is found about each of the others for each participant grows with the square of the group.

/**
 * Of one page, for the whole group. In a group of 50, what a room may spend on an action (RM62) suffices for twice as many conditions;
 * opening such a page takes half a second on a server that has been running for a while.
 */
const maxSteps = 250_000
/** Writing a question once more, where it does not read alike for all. */
const stepsOfCopy = 4

type Reads = Pick<ExperimentDefinition, 'variables'>

/** Questions whose conditions, settings and texts read both who asks and who is asked about. What reads one of them is found once for each. */
export function tooMuchAboutEach(
  definition: Reads,
  state: State,
  at: number,
  people: number,
): ValidationIssue[] {
  const steps = stepsIn(definition, state)
  const isPossible = (size: number): boolean => steps(size) * size * (size - 1) <= maxSteps
  if (isPossible(people)) return []
  let possible = people - 1
  while (possible > 1 && !isPossible(possible)) possible -= 1
  const where = possible > 1 ? `possible in groups of up to ${possible} people` : 'too much for any group'
  const message = `what its questions about each of the others read of the person who answers them is found for every two people: with up to ${people} in a group, that is too much; it is ${where}. Ask fewer of them in one state, or read less of that person in their texts, settings and conditions`
  return [finding(pointer('states', at), message)]
}

/** For every two people, by the size of their group. */
function stepsIn(definition: Reads, { components }: State): (people: number) => number {
  const isOwn = readsReader(definition)
  const conditions = new Map<string, Expression>()
  const found: Expression[] = []
  let copies = 0
  for (const component of components.filter(isForEach)) {
    const { whole, inside } = expressionsOf(component)
    if (![...whole, ...inside].some(isOwn)) continue
    copies += 1
    found.push(...inside)
    // A condition that several questions have is decided once.
    for (const one of whole.filter(readsEach)) conditions.set(one.text, one)
  }
  const each = [...found, ...conditions.values()]
  return (people) => copies * stepsOfCopy + each.reduce((sum, one) => sum + stepsOf(one, people), 0)
}

/** Its own condition, and all others that are found for each pair. */
function expressionsOf(component: Component): { whole: Expression[]; inside: Expression[] } {
  const settings = liveSettingsOf(component)
  const texts = settings.flatMap(({ kind, text }) => (kind === 'template' ? [text] : []))
  changeComponentTexts(component, (text) => {
    // Of a text in several languages, a participant reads one.
    const [written] = typeof text === 'string' ? [text] : Object.values(Object(text))
    if (typeof written === 'string') texts.push(written)
    return text
  })
  const written = settings.flatMap(({ kind, text }) => (kind === 'expression' ? [text] : []))
  const conditions = conditionsOfEntries(component).map(({ when }) => when)
  return {
    whole: component.when === undefined ? [] : parsed(component.when),
    inside: [...[...written, ...conditions].flatMap(parsed), ...texts.flatMap(insertsIn)],
  }
}

function parsed(text: string): Expression[] {
  const found = parseExpression(text)
  return found.ok ? [found.expression] : []
}

function insertsIn(text: string): Expression[] {
  const found = parseTemplate(text)
  return found.ok
    ? found.template.parts.flatMap((part) => (typeof part === 'string' ? [] : [part.expression]))
    : []
}

const readsEach = ({ root }: Expression): boolean =>
  [...nodesIn(root)].some((node) => fieldReadAt(node)?.source === 'each')

/** Whether two who are asked about the same person may find something else. */
const readsReader =
  ({ variables = {} }: Reads) =>
  ({ root }: Expression): boolean =>
    [...nodesIn(root)].some((node) => {
      const read = fieldReadAt(node)
      if (read && !Object.hasOwn(variables, read.source))
        return !['each', enteredSource].includes(read.source)
      if (node.kind === 'variable') return variableOf(variables[node.name] ?? 0).scope === 'participant'
      return node.kind === 'response' || (node.kind === 'fact' && ['role', 'condition'].includes(node.name))
    })

const lists: readonly (string | undefined)[] = ['others', 'neighbours', 'received']

/** Each part of it takes one, and each list as many as it has entries. */
function stepsOf({ root }: Expression, people: number): number {
  let steps = 0
  for (const node of nodesIn(root)) {
    const read = fieldReadAt(node)
    // Not those that a field is made of.
    steps += read ? -1 : 1
    if (node.kind === 'responses' || lists.includes(read?.source)) steps += people
  }
  return steps
}
