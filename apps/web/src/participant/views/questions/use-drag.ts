import { type PointerEvent, type RefObject, useState } from 'react'
import type { Option } from '../settings/options.ts'
import { placeAt } from './ranking-order.ts'

/** Dragging with mouse, pen or finger: the item moves to a place as the pointer passes its middle. */
export function useDrag(
  list: RefObject<HTMLOListElement | null>,
  items: readonly Option[],
  move: (from: number, to: number) => void,
) {
  const [dragged, setDragged] = useState<Option['value']>()
  const stop = () => setDragged(undefined)
  return {
    dragged,
    onItem: (item: Option) => ({
      onPointerDown: (event: PointerEvent<HTMLElement>) => {
        if (!isGrip(event)) return
        event.preventDefault() // Do not select text while dragging.
        list.current?.setPointerCapture(event.pointerId)
        setDragged(item.value)
      },
    }),
    onList: {
      onPointerMove: (event: PointerEvent<HTMLElement>) => {
        if (dragged === undefined || !list.current) return
        const from = items.findIndex(({ value }) => value === dragged)
        const others = [...list.current.children].filter((_, index) => index !== from)
        const middles = others.map((each) => {
          const { top, height } = each.getBoundingClientRect()
          return top + height / 2
        })
        move(from, placeAt(event.clientY, middles))
      },
      onPointerUp: stop,
      onPointerCancel: stop,
    },
  }
}

/** A mouse can grab the item anywhere; a finger needs the handle, or the page could not be scrolled. */
function isGrip({ target, pointerType, button }: PointerEvent<HTMLElement>): boolean {
  if (!(target instanceof Element) || button !== 0 || target.closest('button') !== null) return false
  return pointerType === 'mouse' || target.closest('[data-handle]') !== null
}
