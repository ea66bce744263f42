import type { ComponentView } from '@atrium/contract'
import { judgedEntries } from '@atrium/contract/components'
import { useEffect, useState } from 'react'

let conditions: typeof import('./conditions.ts') | undefined

/** R61: fetches what decides conditions, where a page has some; undefined once it is there. */
export function loadConditions(components: readonly ComponentView[]): Promise<unknown> | undefined {
  if (conditions || !components.some(isConditional)) return undefined
  return import('./conditions.ts').then(({ answersRead, createShown }) => {
    conditions = { answersRead, createShown }
  })
}

const known = new WeakMap<ComponentView, boolean>()

/** Whether it, or one of its options or rows, is shown only under a condition. */
function isConditional(component: ComponentView): boolean {
  const before = known.get(component)
  if (before !== undefined) return before
  let has = component.when !== undefined
  judgedEntries(component, () => {
    has = true
    return true
  })
  known.set(component, has)
  return has
}

const retryMs = 2_000

/**
 * The components that are shown now, by what is entered on the same page. Until conditions can be decided, what has one is not
 * shown.
 */
export function useShown(
  components: readonly ComponentView[],
  entered: (id: string) => unknown,
): readonly ComponentView[] {
  const [tries, setTries] = useState(0)
  const isWaiting = conditions === undefined && components.some(isConditional)
  useEffect(() => {
    if (!isWaiting) return
    let timer: ReturnType<typeof setTimeout> | undefined
    loadConditions(components)?.then(
      () => setTries(tries + 1),
      () => {
        timer = setTimeout(() => setTries(tries + 1), retryMs)
      },
    )
    return () => clearTimeout(timer)
  }, [isWaiting, components, tries])
  if (isWaiting) return components.filter((one) => !isConditional(one))
  return shownAmong(components, entered)
}

export function shownAmong(
  components: readonly ComponentView[],
  entered: (id: string) => unknown,
): readonly ComponentView[] {
  if (!conditions || !components.some(isConditional)) return components
  const { isShown, holds } = conditions.createShown(components, entered)
  return components.flatMap((one) =>
    isShown(one.id) ? [isConditional(one) ? settled(one, holds) : one] : [],
  )
}

const variants = new WeakMap<ComponentView, Map<string, ComponentView>>()

/** Without its conditions; the same object while the same options and rows are shown, so that views keep what they have. */
function settled(component: ComponentView, holds: (when: object) => boolean): ComponentView {
  const verdicts: boolean[] = []
  const { when: _met, ...shown } = judgedEntries(component, (when) => {
    verdicts.push(typeof when === 'object' && when !== null && holds(when))
    return verdicts.at(-1) ?? false
  })
  const own = variants.get(component) ?? new Map<string, ComponentView>()
  variants.set(component, own)
  const key = verdicts.join()
  const same = own.get(key) ?? shown
  own.set(key, same)
  return same
}

/** The components that its conditions read. */
export function readsOf(component: ComponentView): readonly string[] {
  if (!conditions || !isConditional(component)) return []
  const found = component.when === undefined ? [] : conditions.answersRead(component.when)
  judgedEntries(component, (when) => {
    if (conditions && typeof when === 'object' && when !== null) found.push(...conditions.answersRead(when))
    return true
  })
  return found
}
