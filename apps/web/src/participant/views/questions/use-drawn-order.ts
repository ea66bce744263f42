import { useEffect, useEffectEvent, useMemo, useRef } from 'react'
import type { Option } from '../settings/options.ts'
import type { ViewProps } from '../view.ts'
import { drawnOrder, orderSeed } from './drawn-order.ts'

/** The options in the order of this participant; a shuffled order is recorded for the researcher. */
export function useDrawnOrder(
  options: readonly Option[],
  shuffle: boolean,
  { component: { id }, scene, recorded }: ViewProps,
): readonly Option[] {
  const seed = orderSeed(scene, id)
  const shown = useMemo(() => (shuffle ? drawnOrder(options, seed) : options), [options, shuffle, seed])
  const notedSeed = useRef('')
  const note = useEffectEvent(() => {
    if (!shuffle || recorded !== undefined || notedSeed.current === seed) return
    notedSeed.current = seed
    scene.note('options_shown', id, { order: shown.map(({ value }) => value) })
  })
  useEffect(() => note(), [seed])
  return shown
}
