import type { Component, ExperimentDefinition, ValidationIssue } from '@atrium/contract'
import { componentTypeOf, conditionsOfEntries } from '@atrium/contract/components'
import { enteredSource, fieldReadAt, nodesIn, parseExpression, type Sources } from '@atrium/expressions'
import type { DeclaredNames } from './definition-names.ts'
import { finding, pointer } from './findings.ts'
import type { PlacedExpression } from './placed-expression.ts'

// R61: the conditions under which components, options and rows are shown.

/** The components of a page that take answers. */
export const answeredOn = (components: readonly Component[]): ReadonlySet<string> =>
  new Set(components.flatMap(({ id, type }) => (componentTypeOf(type).responds === 'none' ? [] : [id])))

export function conditionsOfParts({
  states,
  globalComponents = [],
}: ExperimentDefinition): PlacedExpression[] {
  const inStates = states.flatMap(({ id: stateId, components }, at) => {
    const page = answeredOn(components)
    return components.flatMap((one, index) =>
      conditionsOf(one, pointer('states', at, 'components', index), page).map((placed) => ({
        ...placed,
        stateId,
      })),
    )
  })
  const nothing: ReadonlySet<string> = new Set()
  return [
    ...inStates,
    ...globalComponents.flatMap((one, index) =>
      conditionsOf(one, pointer('globalComponents', index), nothing),
    ),
  ]
}

function conditionsOf(component: Component, at: string, page: ReadonlySet<string>): PlacedExpression[] {
  const { when } = component
  const own = when === undefined ? [] : [{ path: `${at}/when`, text: when }]
  const ofEntries = conditionsOfEntries(component).map(({ path, when: text }) => ({ path: at + path, text }))
  return [...own, ...ofEntries].map((one) => ({ ...one, isRoomWide: false, page, component }))
}

export const withAnswers = (sources: Sources, page: ReadonlySet<string>): Sources => {
  const [example = 'age'] = page
  return new Map([
    ...sources,
    [
      enteredSource,
      { fields: page, of: 'a component of this page that takes answers', example, isOwn: true },
    ],
  ])
}

const readsAnswers = (text: string): string[] => {
  const parsed = parseExpression(text)
  if (!parsed.ok) return []
  return [...nodesIn(parsed.expression.root)].flatMap((node) => {
    const read = fieldReadAt(node)
    return read?.source === enteredSource ? [read.name] : []
  })
}

/** What is left of such an expression is sent to the page, with the values in it. */
export function secretIssues(text: string, { variables, sources }: DeclaredNames): string[] {
  const parsed = parseExpression(text)
  if (!parsed.ok || readsAnswers(text).length === 0) return []
  const names = [...nodesIn(parsed.expression.root)].flatMap((node) => {
    const read = fieldReadAt(node)
    if (node.kind === 'variable') return [node.name]
    return read && sources.has(read.source) ? [read.name] : []
  })
  return [...new Set(names)]
    .filter((name) => variables.get(name)?.secret)
    .map(
      (name) =>
        `variable ‘${name}’ is secret, so it cannot be compared with what is being entered on the page`,
    )
}

/** Components that wait for each other would never be shown. */
export function circlesAmongParts({ states }: ExperimentDefinition): ValidationIssue[] {
  return states.flatMap(({ components }, at) => {
    const reads = new Map(
      components.map((one) => [
        one.id,
        new Set([one.when ?? '', ...conditionsOfEntries(one).map(({ when }) => when)].flatMap(readsAnswers)),
      ]),
    )
    const index = components.findIndex(({ id }) => reaches(reads, id, id))
    const circular = components[index]
    return circular
      ? [
          finding(
            pointer('states', at, 'components', index, 'when'),
            `whether ‘${circular.id}’ is shown depends on its own answer`,
          ),
        ]
      : []
  })
}

/** Whether one leads to the other, over any number of steps. */
function reaches(reads: ReadonlyMap<string, ReadonlySet<string>>, from: string, to: string): boolean {
  const seen = new Set<string>()
  const pending = [...(reads.get(from) ?? [])]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next === to) return true
    if (seen.has(next)) continue
    seen.add(next)
    pending.push(...(reads.get(next) ?? []))
  }
  return false
}
