import { randomFrom } from '@atrium/contract'
import { useEffect, useEffectEvent, useMemo, useRef } from 'react'
import type { Option } from '../settings/options.ts'
import type { ViewProps } from '../view.ts'

/** The options in the order of this participant; each shuffled order that is shown is recorded for the researcher. */
export function useDrawnOrder(
  options: readonly Option[],
  shuffle: boolean,
  { component: { id }, scene, recorded }: ViewProps,
): readonly Option[] {
  const seed = orderSeed(scene, id)
  const shown = useMemo(() => (shuffle ? orderOfOptions(options, seed) : options), [options, shuffle, seed])
  const noted = useRef(new Set<string>())
  const order = JSON.stringify([seed, ...shown.map(({ value }) => value)])
  const note = useEffectEvent(() => {
    if (!shuffle || recorded !== undefined || noted.current.has(order)) return
    noted.current.add(order)
    scene.note('options_shown', id, { order: shown.map(({ value }) => value) })
  })
  useEffect(() => note(), [order])
  return shown
}

/** A shuffled order in which all keep their places among each other when an option appears or disappears. */
export function orderOfOptions<Item extends Pick<Option, 'value'>>(
  options: readonly Item[],
  seed: string,
): Item[] {
  const lot = ({ value }: Item) => randomFrom(hashOf(`${seed}${JSON.stringify(value)}`))()
  return options
    .map((option) => ({ option, lot: lot(option) }))
    .sort((one, other) => one.lot - other.lot)
    .map(({ option }) => option)
}

/** Seeds the order of options for one participant, so that it stays the same after a reload. */
export const orderSeed = (
  { participantId, stateId, visit }: { participantId: string; stateId: string; visit: number },
  componentId: string,
): string => JSON.stringify([participantId, stateId, visit, componentId])

/** A shuffle that can be reproduced from the seed. */
export function drawnOrder<Item>(items: readonly Item[], seed: string): Item[] {
  const random = randomFrom(hashOf(seed))
  const left = [...items]
  const drawn: Item[] = []
  while (left.length > 0) drawn.push(...left.splice(Math.floor(random() * left.length), 1))
  return drawn
}

/** FNV-1a: seeds that differ in one letter end up far apart after the generator has mixed them. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193)
  return hash >>> 0
}
