import type { ComponentView } from '@atrium/contract'
import { isAskable, judgedEntries } from '@atrium/contract/components'
import { answersRead, createShown } from '@atrium/expressions'

/** R61: the components in an order in which each comes after those that decide whether it is shown. */
export function inOrderOfConditions(components: readonly ComponentView[]): ComponentView[] {
  const waiting = new Map(components.map((component) => [component.id, component]))
  const ordered: ComponentView[] = []
  const place = (component: ComponentView): void => {
    if (!waiting.delete(component.id)) return
    for (const id of readsOf(component)) {
      const first = waiting.get(id)
      if (first) place(first)
    }
    ordered.push(component)
  }
  for (const component of components) place(component)
  return ordered
}

function readsOf(component: ComponentView): string[] {
  const found = component.when ? answersRead(component.when) : []
  judgedEntries(component, (when) => {
    if (typeof when === 'object' && when !== null) found.push(...answersRead(when))
    return true
  })
  return found
}

/** The component with the options and rows that are shown by these answers; undefined where it is not shown itself. */
export function askedOf(
  component: ComponentView,
  components: readonly ComponentView[],
  answer: (id: string) => unknown,
): ComponentView | undefined {
  const { isShown, holds } = createShown(components, answer)
  if (!isShown(component.id)) return undefined
  const asked = judgedEntries(component, (when) => typeof when !== 'object' || when === null || holds(when))
  return asked === component || isAskable(asked) ? asked : undefined
}
