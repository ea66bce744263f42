import type { Expression } from '@atrium/expressions'
import type { Blueprint } from './blueprint.ts'
import type { ComponentBlueprint } from './component-blueprint.ts'
import { expressionOf } from './placed-inserts.ts'
import type { RoomState, Seat } from './room-state.ts'
import { concerns, isAskedAbout, othersIn } from './targets.ts'
import { type SteadyCommon, steadyCommon } from './variables.ts'

// R62: who is asked about by which component. In a group of 50 there are 2,450 pairs, so that whatever can be decided for fewer is.

/** What was decided about a moment in the room, in which nothing happens. Most of it holds for everybody. */
export interface Alike {
  /** About whom anybody may be asked, by a condition that reads nothing of the reader, or by such options of a component. */
  asked: Map<ComponentBlueprint | string, ReadonlySet<Seat>>
  common: SteadyCommon
  /** What was decided for one of them alone, who may be looked at several times. */
  ofReaders: Map<Seat, ReaderDecisions>
}

interface ReaderDecisions {
  ofAll: Map<string, boolean>
  byTarget: Map<Seat, Map<ComponentBlueprint | string, boolean>>
}

export const nothingAlike = (): Alike => ({
  asked: new Map(),
  common: steadyCommon(),
  ofReaders: new Map(),
})

interface Decisions {
  /** Whether a condition holds for the reader; about somebody, where it reads who is asked about. */
  holds(when: Expression, target?: Seat): boolean
  /** Whether it can be asked with the options and rows that are left. */
  isAskable(component: ComponentBlueprint, target: Seat): boolean
}

/** What one participant may be asked about the others. Nothing is found before something is asked about somebody. */
export function createAskedAbout(
  { room, blueprint, seat, alike }: { room: RoomState; blueprint: Blueprint; seat: Seat; alike: Alike },
  { holds, isAskable }: Decisions,
) {
  // At their own pace, participants are in different states, where responses mean different ones.
  const shared: Alike['asked'] = room.flow ? alike.asked : new Map()
  let others: ReadonlySet<Seat> | undefined
  const othersHere = (): ReadonlySet<Seat> => {
    others ??= new Set(othersIn(room, seat))
    return others
  }

  function ownDecisions(): ReaderDecisions {
    const own = alike.ofReaders.get(seat) ?? { ofAll: new Map(), byTarget: new Map() }
    alike.ofReaders.set(seat, own)
    return own
  }

  function decidedAlike(key: ComponentBlueprint | string, decide: (target: Seat) => boolean) {
    const known = shared.get(key)
    if (known) return known
    const found = new Set(room.seats.filter(decide))
    shared.set(key, found)
    return found
  }

  function decidedHere(key: ComponentBlueprint | string, target: Seat, decide: () => boolean): boolean {
    const { byTarget } = ownDecisions()
    const known = byTarget.get(target) ?? new Map<ComponentBlueprint | string, boolean>()
    byTarget.set(target, known)
    return once(known, key, decide)
  }

  /** Everybody about whom the condition holds for anybody; undefined where it reads the reader. */
  function heldAlike(when: Expression): ReadonlySet<Seat> | undefined {
    const { isOfReader, isOfTarget, isOfEntered } = blueprint.readsOf(when)
    return isOfTarget && !isOfReader && !isOfEntered
      ? decidedAlike(when.text, (target) => holds(when, target))
      : undefined
  }

  /** Whether the condition reads nothing of whom it asks about, and is not met. */
  const isMetByNobody = (when: Expression): boolean =>
    !blueprint.readsOf(when).isOfTarget && !once(ownDecisions().ofAll, when.text, () => holds(when))

  function isMetAbout(when: Expression, target: Seat): boolean {
    if (!blueprint.readsOf(when).isOfTarget) return !isMetByNobody(when)
    return heldAlike(when)?.has(target) ?? decidedHere(when.text, target, () => holds(when, target))
  }

  function isAskableAbout(component: ComponentBlueprint, target: Seat): boolean {
    if (component.entryConditions.length === 0) return true
    const isAlike = component.inserts.every((placed) => {
      const { isOfReader, isOfEntered } = blueprint.readsOf(expressionOf(placed))
      return !isOfReader && !isOfEntered
    })
    return isAlike
      ? decidedAlike(component, (one) => isAskable(component, one)).has(target)
      : decidedHere(component, target, () => isAskable(component, target))
  }

  const asks = (component: ComponentBlueprint, target: Seat): boolean =>
    (component.when === null || isMetAbout(component.when, target)) && isAskableAbout(component, target)

  return {
    asks,
    /** Whether there is anybody left to ask about. */
    anyone(whole: ComponentBlueprint): boolean {
      const component = whole.aboutOne
      const mayConcern = concerns(room, seat, whole)
      const { when } = component
      if (when && isMetByNobody(when)) return false
      for (const one of (when && heldAlike(when)) ?? othersHere())
        if (othersHere().has(one) && mayConcern(one) && isAskedAbout(one) && asks(component, one)) return true
      return false
    },
  }
}

function once<Key>(known: Map<Key, boolean>, key: Key, decide: () => boolean): boolean {
  const before = known.get(key)
  if (before !== undefined) return before
  const decided = decide()
  known.set(key, decided)
  return decided
}
