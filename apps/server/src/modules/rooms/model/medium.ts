import type { Component } from '@atrium/contract'
import {
  type ComponentType,
  maxMediaInStep,
  type PlayingInStep,
  playingInStepOf,
  stopsOf,
} from '@atrium/contract/components'

/** A component as the blueprint has it, which is more than is needed here. */
interface Placed {
  component: Component
  type: ComponentType
}

/** A video or audio that may play in step in a state. */
export interface Medium<Shown extends Placed = Placed> extends PlayingInStep {
  id: string
  component: Shown
  /** Shown across states, so that it plays on when the room moves. */
  isGlobal: boolean
  /** Where it stops until ratings are given, in order. */
  stops: readonly Stop<Shown>[]
}

export interface Stop<Shown extends Placed = Placed> {
  atMs: number
  ratings: readonly Shown[]
}

/** Nobody can give more ratings at one position; looking at each takes time after every action. */
const maxRatingsAtStop = 20

/** Every medium of a state that may play in step, the state's own first. */
export function mediaOf<Shown extends Placed>(
  own: readonly Shown[],
  globals: readonly Shown[],
): readonly Medium<Shown>[] {
  const shown = [...own, ...globals]
  const media = shown.filter(({ type }) => type.plays !== null)
  const onlyId = media.length === 1 ? media[0]?.component.id : undefined
  const playing = media.flatMap((component) => {
    const inStep = playingInStepOf(component.component)
    return inStep ? [{ component, inStep }] : []
  })
  return playing.slice(0, maxMediaInStep).map(({ component, inStep }) => ({
    ...inStep,
    id: component.component.id,
    component,
    isGlobal: !own.includes(component),
    stops: stopsIn(shown, component.component.id, onlyId),
  }))
}

/** A rating that names no medium is about the only one shown. */
function stopsIn<Shown extends Placed>(
  shown: readonly Shown[],
  mediaId: string,
  onlyId: string | undefined,
): readonly Stop<Shown>[] {
  const ratings = new Map<number, Shown[]>()
  for (const rating of shown) {
    const stops = stopsOf(rating.component)
    if (!stops || (stops.mediaId ?? onlyId) !== mediaId) continue
    for (const atMs of stops.atMs) {
      const there = ratings.get(atMs) ?? []
      ratings.set(atMs, there)
      if (there.length < maxRatingsAtStop) there.push(rating)
    }
  }
  return [...ratings].sort(([a], [b]) => a - b).map(([atMs, there]) => ({ atMs, ratings: there }))
}

/** The first stop after a position. Searched by halves: there may be a hundred thousand. */
export function stopAfter<Each extends Stop>(stops: readonly Each[], positionMs: number): Each | undefined {
  let low = 0
  let high = stops.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((stops[middle]?.atMs ?? 0) > positionMs) high = middle
    else low = middle + 1
  }
  return stops[low]
}
