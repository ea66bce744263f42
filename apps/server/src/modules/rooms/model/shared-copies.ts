import type { ComponentView } from '@atrium/contract'
import type { Blueprint } from './blueprint.ts'
import type { ComponentBlueprint } from './component-blueprint.ts'
import { expressionOf } from './placed-inserts.ts'
import type { RoomState, Seat } from './room-state.ts'

/** Of all values on one page together. */
export interface PageBudget {
  charactersLeft: number
  /** A value was left out because it was too long for the rest of the page. */
  hasCut?: true
}

interface Copy {
  views: ComponentView[]
  /** That its values take of a page. */
  characters: number
}

/** What is asked about one person: written for one reader, or taken from another one's page. */
export type WriteCopy = (
  spoken: Blueprint,
  component: ComponentBlueprint,
  target: Seat,
  budget: PageBudget,
  write: () => ComponentView[],
) => ComponentView[]

/**
 * R62: what is asked about somebody mostly reads alike for all others. In a group of 50, each question is on the page 2,450 times:
 * writing each of them takes a second, writing one for each person a fiftieth of it.
 */
export function createSharedCopies({ flow }: Pick<RoomState, 'flow'>): WriteCopy {
  const byComponent = new Map<ComponentBlueprint, Map<Seat, Copy> | null>()

  return (spoken, component, target, budget, write) => {
    // At their own pace, participants are in different states, where responses mean different ones.
    if (!flow) return write()
    let copies = byComponent.get(component)
    if (copies === undefined) {
      copies = isAlikeForReaders(spoken, component) ? new Map() : null
      byComponent.set(component, copies)
    }
    const known = copies?.get(target)
    if (known && known.characters <= budget.charactersLeft) {
      budget.charactersLeft -= known.characters
      return known.views
    }
    const before = budget.charactersLeft
    const views = write()
    if (!budget.hasCut) copies?.set(target, { views, characters: before - budget.charactersLeft })
    return views
  }
}

const isAlikeForReaders = (spoken: Blueprint, { inserts }: ComponentBlueprint): boolean =>
  inserts.every((placed) => !spoken.readsOf(expressionOf(placed)).isOfReader)
