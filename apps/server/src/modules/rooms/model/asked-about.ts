import type { Expression } from '@atrium/expressions'
import type { Blueprint } from './blueprint.ts'
import type { ComponentBlueprint } from './component-blueprint.ts'
import { expressionOf } from './placed-inserts.ts'
import type { RoomState, Seat } from './room-state.ts'
import { isAskedAbout, othersIn } from './targets.ts'
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

/** What one participant may be asked about the others. */
export function createAskedAbout(
  { room, blueprint, seat, alike }: { room: RoomState; blueprint: Blueprint; seat: Seat; alike: Alike },
  { holds, isAskable }: Decisions,
) {
  const others = othersIn(room, seat)
  const everyone = [...others, seat]
  // At their own pace, participants are in different states, where responses mean different ones.
  const shared: Alike['asked'] = room.flow ? alike.asked : new Map()
  const own = alike.ofReaders.get(seat) ?? { ofAll: new Map(), byTarget: new Map() }
  alike.ofReaders.set(seat, own)

  function decidedAlike(key: ComponentBlueprint | string, decide: (target: Seat) => boolean) {
    const known = shared.get(key)
    if (known) return known
    const found = new Set(everyone.filter(decide))
    shared.set(key, found)
    return found
  }

  function decidedHere(key: ComponentBlueprint | string, target: Seat, decide: () => boolean): boolean {
    const known = own.byTarget.get(target) ?? new Map<ComponentBlueprint | string, boolean>()
    own.byTarget.set(target, known)
    return once(known, key, decide)
  }

  /** Those about whom a condition lets the reader be asked, and perhaps others. */
  function candidates(when: Expression | null): Iterable<Seat> {
    if (!when) return others
    const { isOfReader, isOfTarget, isOfEntered } = blueprint.readsOf(when)
    if (!isOfTarget) return once(own.ofAll, when.text, () => holds(when)) ? others : []
    if (!isOfReader && !isOfEntered) return decidedAlike(when.text, (target) => holds(when, target))
    return pairsWith(when)
  }

  /** One after the other: mostly the first is enough. */
  function* pairsWith(when: Expression): Generator<Seat> {
    for (const target of others) if (decidedHere(when.text, target, () => holds(when, target))) yield target
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

  return {
    /** Whether there is anybody left to ask about. */
    anyone(component: ComponentBlueprint): boolean {
      for (const one of candidates(component.when))
        if (one !== seat && isAskedAbout(one) && isAskableAbout(component, one)) return true
      return false
    },
    /** In seat order. */
    all(component: ComponentBlueprint): Seat[] {
      const found = new Set(candidates(component.when))
      return others.filter((one) => found.has(one) && isAskableAbout(component, one))
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
