import {
  anyRole,
  degreeOf,
  type ExperimentDefinition,
  groupSizeOf,
  limits,
  type Network,
  roleIdsOf,
  type ValidationIssue,
} from '@atrium/contract'
import { nearestName } from '@atrium/contract/components'
import { pacingOf, rowsOfLattice } from '@atrium/flow'

interface Sizes {
  min: number
  max: number
}

/** RM246: a network that no room could have, or that says nothing. */
export function checkNetwork(definition: ExperimentDefinition): ValidationIssue[] {
  const { network } = definition
  if (!network) return [...needsNetwork(definition)]
  const sizes = seatsOf(definition)
  if (sizes.max < 2)
    return [
      issue(
        '/network',
        'there is nobody to be joined with: the study is for one person at a time; set matching.groupSize, or remove the network',
      ),
    ]
  const issues = [
    ...unusedSettings(network),
    ...impossibleDegree(network, sizes),
    ...impossibleGrid(network, sizes),
    ...impossibleEdges(network, sizes, definition),
    ...impossibleChanges(definition),
  ]
  return issues.length > 0 ? issues : tooManyEdges(network, sizes)
}

/** Agents that have seats of their own sit beside the people. */
function seatsOf(definition: ExperimentDefinition): Sizes {
  const { min, max } = groupSizeOf(definition)
  const ofAgents = (definition.agents ?? []).reduce((sum, { seats = 0 }) => sum + seats, 0)
  return { min: min + ofAgents, max: max + ofAgents }
}

function unusedSettings(network: Network): ValidationIssue[] {
  const { kind } = network
  const belongs: Record<'degree' | 'rewire' | 'edges' | 'seed', boolean> = {
    degree: degreeOf({ kind }) !== undefined,
    rewire: kind === 'small_world',
    edges: kind === 'edges',
    seed: ['small_world', 'random', 'scale_free'].includes(kind),
  }
  const issues = (Object.keys(belongs) as (keyof typeof belongs)[]).flatMap((name) =>
    network[name] !== undefined && !belongs[name]
      ? [issue(`/network/${name}`, `a network of the kind ‘${kind}’ has no ‘${name}’; remove it`)]
      : [],
  )
  if (kind === 'edges' && network.edges === undefined)
    issues.push(issue('/network', 'a network of the kind ‘edges’ needs ‘edges’, such as [[1, 2], [2, 3]]'))
  return issues
}

function impossibleDegree(network: Network, { min }: Sizes): ValidationIssue[] {
  const { kind } = network
  const degree = degreeOf(network)
  if (degree === undefined) return []
  const path = network.degree === undefined ? '/network' : '/network/degree'
  if (kind === 'lattice' && degree !== 4 && degree !== 8)
    return [issue(path, `everyone in a lattice has 4 or 8 neighbours, not ${degree}`)]
  if (['ring', 'small_world', 'scale_free'].includes(kind) && degree % 2 !== 0)
    return [issue(path, `the degree of a network of the kind ‘${kind}’ is an even number, not ${degree}`)]
  if (kind === 'random' && degree < 2)
    return [issue(path, 'with a degree below 2, a random network would fall apart')]
  if (degree > min - 1)
    return [
      issue(
        path,
        `nobody can have ${degree} neighbours in a room of ${min}: with so many seats, the degree is at most ${min - 1}`,
      ),
    ]
  return []
}

function impossibleGrid({ kind }: Network, { min, max }: Sizes): ValidationIssue[] {
  if (kind !== 'lattice') return []
  for (let size = min; size <= max; size++)
    if (rowsOfLattice(size) < 3)
      return [
        issue(
          '/network/kind',
          `${size} seats make no grid with at least three rows and columns; a lattice needs groups of a fixed size such as 9, 12, 16, 20 or 25`,
        ),
      ]
  return []
}

function impossibleEdges(
  { edges = [] }: Network,
  { max }: Sizes,
  definition: ExperimentDefinition,
): ValidationIssue[] {
  const roles = roleIdsOf(definition)
  const known = roles.length > 0 ? roles : [anyRole]
  const seen = new Set<string>()
  return edges.flatMap((edge, at) => {
    const path = `/network/edges/${at}`
    const unknown = edge.flatMap((end, index) => {
      const message = strangeEnd(end, max, known)
      return message === undefined ? [] : [issue(`${path}/${index}`, message)]
    })
    if (unknown.length > 0) return unknown
    const [one, other] = edge
    if (one === other && typeof one === 'number')
      return [issue(path, `seat ${one} cannot be joined with itself`)]
    const key = [one, other]
      .map((end) => JSON.stringify(end))
      .sort()
      .join()
    if (seen.has(key)) return [issue(path, `${String(one)} and ${String(other)} are joined already`)]
    seen.add(key)
    return []
  })
}

function strangeEnd(end: number | string, seats: number, roles: readonly string[]): string | undefined {
  if (typeof end === 'number')
    return end > seats ? `there is no seat ${end}: a room has at most ${seats}` : undefined
  if (roles.includes(end)) return undefined
  const number = /^P?(\d+)$/.exec(end)?.[1]
  if (number !== undefined) return `‘${end}’ is not a role; a seat is written as a number: ${Number(number)}`
  const near = nearestName(end, roles)
  return `role ‘${end}’ does not exist${near === undefined ? '' : `; did you mean ‘${near}’?`}`
}

function tooManyEdges(network: Network, { max }: Sizes): ValidationIssue[] {
  const edges = mostEdges(network, max)
  const limit = limits.definition.edges
  if (edges <= limit) return []
  const instead =
    network.kind === 'complete'
      ? 'without a network, everyone is everyone’s neighbour as well'
      : 'make the groups smaller, or give everyone fewer neighbours'
  return [
    issue(
      '/network',
      `a network of ${max} seats would have ${edges} edges; the limit is ${limit}: ${instead}`,
    ),
  ]
}

function mostEdges(network: Network, seats: number): number {
  const pairs = (seats * (seats - 1)) / 2
  const degree = degreeOf(network)
  if (degree !== undefined) return Math.min(pairs, (seats * degree) / 2)
  if (network.kind === 'complete') return pairs
  const listed = (network.edges ?? []).reduce((sum, edge) => {
    const roles = edge.filter((end) => typeof end === 'string').length
    return sum + (roles === 0 ? 1 : roles === 1 ? seats : pairs)
  }, 0)
  return Math.min(pairs, listed)
}

/** RM251: changes that would do nothing. */
const impossibleChanges = (definition: ExperimentDefinition): ValidationIssue[] =>
  definition.states.flatMap(({ rewire }, at) => {
    if (!rewire) return []
    const path = `/states/${at}/rewire`
    if (rewire.cut === undefined && rewire.join === undefined)
      return [issue(path, 'needs ‘cut’, ‘join’ or both')]
    if (rewire.mutual && rewire.join === undefined)
      return [issue(`${path}/mutual`, 'is about ‘join’, which is missing')]
    if (rewire.mutual && pacingOf(definition) === 'participant')
      return [
        issue(
          `${path}/mutual`,
          'two people can name each other only where the room proceeds together; here, each leaves the state alone',
        ),
      ]
    return []
  })

/** What needs a network, in a definition that has none. */
function* needsNetwork({ states, globalComponents = [] }: ExperimentDefinition): Generator<ValidationIssue> {
  for (const [at, { rewire }] of states.entries())
    if (rewire)
      yield issue(`/states/${at}/rewire`, 'there is no network to change; add ‘network’ to the definition')
  const needed = 'there are neighbours only in a network; add ‘network’ to the definition'
  const places = [
    ...states.flatMap(({ components }, at) =>
      components.map((component, index) => ({ component, path: `/states/${at}/components/${index}` })),
    ),
    ...globalComponents.map((component, index) => ({ component, path: `/globalComponents/${index}` })),
  ]
  for (const { component, path } of places) {
    const { audience } = component as { audience?: unknown }
    if (component.type === 'chat' && audience === 'neighbours') yield issue(`${path}/audience`, needed)
    if ('forEach' in component && component.forEach === 'neighbours') yield issue(`${path}/forEach`, needed)
  }
}

const issue = (path: string, message: string): ValidationIssue => ({ path, message })
