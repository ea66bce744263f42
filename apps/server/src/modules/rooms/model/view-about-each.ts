import type { ComponentView } from '@atrium/contract'
import type { ComponentBlueprint } from './component-blueprint.ts'

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
