import { isSpent, spend } from '@atrium/expressions'
import type { Blueprint } from './blueprint.ts'
import { distinct, expressionOf, type PlacedOnPage, type PlacedValue } from './placed-inserts.ts'
import { isOpen, type RoomState, type Seat } from './room-state.ts'
import type { StateBlueprint } from './state-blueprint.ts'
import { allReads, changesBetween, mayHaveChanged, type RoomChanges } from './text-reads.ts'
import { createRoomTexts, type RoomTexts } from './texts-in-room.ts'
import { emitToSeat, type Turn } from './turn.ts'
import { type PageView, pageFor } from './view.ts'
import { componentsOfState, flowOf, globalComponents, seesState, stateOf } from './visible-components.ts'

/**
 * In a larger group every action would write everybody's page. There, texts are written when a state is shown, and
 * values that change meanwhile belong into a component.
 */
const largestLiveGroup = 100

/** Of all pages that one action sends again: a million takes 10 ms to make and to send. */
const maxCharactersSent = 1_500_000
/** Putting a page together, which costs less than writing its values. */
const charactersPerStep = 64

/** Values in a text change with what happens in the room. Tells everyone whose page reads differently after an action. */
export function emitTexts(turn: Turn, before: RoomState): void {
  const { room, blueprint, textWork } = turn
  if (!blueprint.hasInserts || room.seats.length > largestLiveGroup) return
  const comparison = {
    was: createRoomTexts(before, textWork),
    is: createRoomTexts(room, textWork),
    changes: once(() => changesBetween(before, room)),
  }
  const pages = new Map<Seat, PageView>()
  let charactersLeft = maxCharactersSent
  // Where not everyone can be told at once, it is not always the same people who have to wait.
  for (const index of rotated(room.seats.length, before.seq)) {
    const [seat, former] = [room.seats[index], before.seats[index]]
    if (!seat || !isOpen(seat)) continue
    const find =
      former && isSameVisit(room, seat, before, former)
        ? changeOf(comparison, blueprint, { seat, former, index })
        : changeSinceEntry(turn, comparison, seat)
    if (!find) continue
    const isOver = (): boolean => isSpent(textWork) || charactersLeft < 0
    const page = isOver() ? undefined : find()
    charactersLeft -= page?.characters ?? 0
    spend(textWork, (page?.characters ?? 0) / charactersPerStep)
    // RM131: they keep the page that they have, and a later action brings the new one.
    if (isOver()) seat.here = { ...seat.here, hasOldTexts: true }
    else if (page) pages.set(seat, page.view)
  }
  for (const seat of room.seats) {
    const page = pages.get(seat)
    if (!page) continue
    const { hasOldTexts: _, ...here } = seat.here
    if (seat.here.hasOldTexts) seat.here = here
    emitToSeat(turn, seat, { type: 'texts', ...page })
  }
}

function once<Value extends object>(find: () => Value): () => Value {
  let known: Value | undefined
  return () => {
    known ??= find()
    return known
  }
}

function* rotated(count: number, by: number): Generator<number> {
  for (let index = 0; index < count; index++) yield (index + by) % count
}

const isSameVisit = (room: RoomState, seat: Seat, before: RoomState, former: Seat): boolean =>
  flowOf(room, seat)?.visit === flowOf(before, former)?.visit

type Page = ReturnType<typeof pageFor>

/** How to find the page of somebody who has stayed where they were; undefined if it is what it was. */
function changeOf(
  comparison: Comparison,
  blueprint: Blueprint,
  which: { seat: Seat; former: Seat; index: number },
): (() => Page) | undefined {
  const affected = affectedBy(comparison, blueprint, which)
  return affected && (() => changedPage(comparison, blueprint, { ...which, affected }))
}

/**
 * Whoever enters a state is sent all of its texts. At their own pace, several people enter theirs in one action, one after
 * another, and what the first were sent may read differently at its end.
 */
function changeSinceEntry(
  { room, blueprint, emitted }: Turn,
  { is }: Comparison,
  seat: Seat,
): (() => Page) | undefined {
  if (room.flow || room.seats.length < 2) return undefined
  const placed = placedFor(blueprint.inLanguage(seat.language), seat, room)
  if (!placed || placed.changing.length === 0) return undefined
  const sent = emitted.findLast(
    ({ audience, event }) =>
      event.type === 'state_entered' &&
      audience.kind === 'participants' &&
      audience.participantIds.includes(seat.participantId),
  )?.event
  if (sent?.type !== 'state_entered') return undefined
  const before = JSON.stringify([sent.state, sent.globalComponents])
  return () => {
    const page = pageFor(is, blueprint, seat)
    return JSON.stringify([page?.view.state, page?.view.globalComponents]) === before ? undefined : page
  }
}

interface Comparison {
  was: RoomTexts
  is: RoomTexts
  changes(): RoomChanges
}

/**
 * The values that may read differently after the action; `page` where it is not a matter of values alone: a clock that was
 * stopped, another language, or texts that they were not told about. Undefined if nothing can have changed for them.
 */
function affectedBy(
  { was, is, changes }: Comparison,
  blueprint: Blueprint,
  { seat, former, index }: { seat: Seat; former: Seat; index: number },
): readonly PlacedValue[] | 'page' | undefined {
  const spoken = blueprint.inLanguage(seat.language)
  const page = placedFor(spoken, seat, is.room)
  if (!page?.showsValues) return undefined
  const isOther =
    flowOf(is.room, seat) !== flowOf(was.room, former) ||
    seat.language !== former.language ||
    seat.role !== former.role
  if (isOther || former.here.hasOldTexts) return 'page'
  if (page.changing.length === 0) return undefined
  // Most actions change nothing that a page shows, and a page may have many values.
  if (!mayHaveChanged(page.reads, changes(), index)) return undefined
  const affected = page.changing.filter((placed) =>
    mayHaveChanged(spoken.readsOf(expressionOf(placed)), changes(), index),
  )
  return affected.length > 0 ? affected : undefined
}

/** The page of a participant if it reads differently. Only the affected values are written to find out. */
function changedPage(
  { was, is }: Comparison,
  blueprint: Blueprint,
  { seat, former, affected }: { seat: Seat; former: Seat; affected: readonly PlacedValue[] | 'page' },
): ReturnType<typeof pageFor> {
  if (affected === 'page') {
    const page = pageFor(is, blueprint, seat)
    if (former.here.hasOldTexts) return page
    return JSON.stringify(page?.view) === JSON.stringify(pageFor(was, blueprint, former)?.view)
      ? undefined
      : page
  }
  const spoken = blueprint.inLanguage(seat.language)
  const flow = flowOf(is.room, seat)
  const [before, after] = [was.page(spoken, former, flow), is.page(spoken, seat, flow)]
  const hasChanged = affected.some((placed) => before.reading(placed) !== after.reading(placed))
  return hasChanged ? pageFor(is, blueprint, seat, after) : undefined
}

/** The values on the page of a participant; found once for everyone with the same role and language. */
function placedFor(spoken: Blueprint, seat: Seat, room: RoomState): PlacedOnPage | undefined {
  const state = stateOf(spoken, flowOf(room, seat))
  if (!state) return undefined
  const byRole = spoken.placedOnPages.get(state) ?? new Map<string | null, PlacedOnPage>()
  spoken.placedOnPages.set(state, byRole)
  // Whoever sits out sees the components across states alone.
  const key = seat.here.sitsOut ? `${seat.role} sits out` : seat.role
  const known = byRole.get(key) ?? placedOn(spoken, seat, state)
  byRole.set(key, known)
  return known
}

function placedOn(spoken: Blueprint, seat: Seat, state: StateBlueprint): PlacedOnPage {
  const placed = distinct([
    ...(seesState(seat, state) ? state.inserts : []),
    ...[...componentsOfState(seat, state), ...globalComponents(spoken, seat, state.state.id)].flatMap(
      ({ inserts }) => inserts,
    ),
  ])
  // A condition that reads only what is entered on the page never changes here.
  const changing = placed.filter((one) => {
    const { own, anyone } = spoken.readsOf(expressionOf(one))
    return own.size + anyone.size > 0
  })
  return {
    showsValues: changing.length > 0 || placed.some(({ kind }) => kind !== 'condition'),
    changing,
    reads: allReads(changing.map((one) => spoken.readsOf(expressionOf(one)))),
  }
}
