import type { ComponentView } from '@atrium/contract'
import { isAskable, judgedEntries, targetsOf } from '@atrium/contract/components'
import { useEffect, useState } from 'react'
import type { Drafts } from './typed.ts'

let conditions: typeof import('./conditions.ts') | undefined

/** R61: fetches what decides conditions, where a page has some; undefined once it is there. */
export function loadConditions(components: readonly ComponentView[]): Promise<unknown> | undefined {
  if (conditions || !components.some(isConditional)) return undefined
  return import('./conditions.ts').then(({ answersRead, createShown, shownPart, withHiddenPart }) => {
    conditions = { answersRead, createShown, shownPart, withHiddenPart }
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
  const { createShown } = conditions
  const byId = new Map(components.map((one) => [one.id, one]))
  const asking = new Set<string>()
  /** A choice that is not offered any more is no answer. */
  function answerOf(id: string): unknown {
    const value = entered(id)
    const component = byId.get(id)
    if (value === undefined || !component || !isConditional(component) || asking.has(id)) return value
    // Options that wait for each other are refused on saving; one that slipped through must not loop.
    asking.add(id)
    const now = settled(component, holds)
    asking.delete(id)
    return isAsked(now) ? partShown(now, value) : undefined
  }
  const { isShown, holds } = createShown(components, answerOf)
  return components.flatMap((one) => {
    if (!isShown(one.id)) return []
    const now = isConditional(one) ? settled(one, holds) : one
    return isAsked(now) ? [now] : []
  })
}

const variants = new WeakMap<ComponentView, Map<string, ComponentView>>()

interface Entries {
  offered: number
  hidden: number
  /** Whether enough are left to ask it. */
  isAskable: boolean
}
/** Of components whose options and rows have conditions, as `settled` returns them. */
const entriesIn = new WeakMap<ComponentView, Entries>()

/** Without its conditions; the same object while the same options and rows are shown, so that views keep what they have. */
function settled(component: ComponentView, holds: (when: object) => boolean): ComponentView {
  const verdicts: boolean[] = []
  const { when: _met, ...shown } = judgedEntries(component, (when) => {
    const isMet = typeof when === 'object' && when !== null && holds(when)
    verdicts.push(isMet)
    return isMet
  })
  const own = variants.get(component) ?? new Map<string, ComponentView>()
  variants.set(component, own)
  const key = verdicts.join()
  const same = own.get(key) ?? shown
  own.set(key, same)
  const offered = verdicts.filter(Boolean).length
  if (verdicts.length > 0 && !entriesIn.has(same))
    entriesIn.set(same, { offered, hidden: verdicts.length - offered, isAskable: isAskable(same) })
  return same
}

/** How many of its options and rows have a condition that is met. */
export const offeredIn = (component: ComponentView): number => entriesIn.get(component)?.offered ?? 0

const isAsked = (component: ComponentView): boolean => entriesIn.get(component)?.isAskable !== false

const hides = (component: ComponentView): boolean => (entriesIn.get(component)?.hidden ?? 0) > 0

/** What of a draft belongs to the options and rows that are shown. */
const partShown = (component: ComponentView, draft: unknown): unknown =>
  conditions && hides(component) ? conditions.shownPart(component, draft) : draft

/** The drafts as they are seen and sent. */
export const draftsShown = (shown: readonly ComponentView[], drafts: Drafts): Drafts =>
  shown.some((one) => hides(one) || targetsOf(one))
    ? {
        ...drafts,
        ...Object.fromEntries(
          shown.map((one) => [one.id, aboutThoseHere(one, partShown(one, drafts[one.id]))]),
        ),
      }
    : drafts

/** R62: without what was entered about somebody who has left meanwhile. */
function aboutThoseHere(component: ComponentView, draft: unknown): unknown {
  const targets = targetsOf(component)
  if (!targets || draft === undefined) return draft
  const here = new Set(targets.map(({ alias }) => alias))
  const kept = Object.entries(Object(draft)).filter(([alias]) => here.has(alias))
  return kept.length === 0 ? undefined : Object.fromEntries(kept)
}

/** What is kept of a draft: also what belongs to options and rows that are not shown now. */
export const draftKept = (component: ComponentView | undefined, before: unknown, next: unknown): unknown =>
  conditions && component && hides(component) ? conditions.withHiddenPart(component, before, next) : next

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
