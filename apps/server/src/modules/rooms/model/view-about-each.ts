import type { ComponentView } from '@atrium/contract'
import { type Expression, fieldReadAt, nodesIn } from '@atrium/expressions'
import type { Blueprint } from './blueprint.ts'
import type { ComponentBlueprint } from './component-blueprint.ts'
import { expressionOf } from './placed-inserts.ts'

/** A component as it is shown about one of the others; nothing where it is not. */
export interface ViewAboutOne {
  alias: string
  views: readonly ComponentView[]
}

/**
 * R62: the component as it is shown about each of the others. Whether it is shown depends on what is entered only where it does so for all
 * of them alike.
 */
export function viewAboutEach(
  { component: { id, type }, isRequired }: ComponentBlueprint,
  each: readonly ViewAboutOne[],
): ComponentView[] {
  const shown = each.flatMap(({ alias, views }) => views.map((view) => ({ alias, view })))
  const [first] = shown
  if (!first) return []
  const targets = shown.map(({ alias, view: { when: _, ...component } }) => ({ alias, component }))
  const { when } = first.view
  return [{ id, type, required: isRequired, forEach: 'others', targets, ...(when && { when }) }]
}

/**
 * Whether it reads the same for everybody who is asked about the same person. Otherwise it is made for each pair of people, which
 * took 2 s for a group of 50.
 */
export const isAlikeForAll = ({ aboutOne }: ComponentBlueprint, { variables }: Blueprint): boolean =>
  aboutOne.inserts.every((placed) => isAlike(expressionOf(placed), variables))

const isAlike = ({ root }: Expression, variables: Blueprint['variables']): boolean =>
  [...nodesIn(root)].every((node) => {
    const read = fieldReadAt(node)
    if (read && !variables.has(read.source)) return alikeSources.has(read.source)
    if (node.kind === 'variable')
      return alikeSources.has(node.name) || variables.get(node.name)?.scope === 'room'
    if (node.kind === 'fact') return node.name !== 'role' && node.name !== 'condition'
    return node.kind !== 'response'
  })

const alikeSources: ReadonlySet<string> = new Set(['each', 'trial'])
