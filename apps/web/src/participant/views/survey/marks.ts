import type { Place } from '@atrium/contract/components'
import { isRecord, listIn, recordIn } from '../questions/answer.ts'

/** What became of an attempt to mark a place; numbers count from 1, as people do. */
export type Change =
  | { kind: 'set' | 'moved' | 'removed'; number: number; marks: readonly Place[] }
  | { kind: 'full' }

export const marksIn = (answer: unknown): readonly Place[] => listIn(recordIn(answer).marks).filter(isPlace)

const isPlace = (one: unknown): one is Place =>
  isRecord(one) && typeof one.x === 'number' && typeof one.y === 'number'

/** A tenth of a percent is less than a pixel of a picture on a page. */
const rounded = (percent: number): number => Math.round(Math.min(100, Math.max(0, percent)) * 10) / 10

interface Box {
  left: number
  top: number
  width: number
  height: number
}

export const placeIn = ({ left, top, width, height }: Box, clientX: number, clientY: number): Place => ({
  x: rounded(((clientX - left) / width) * 100),
  y: rounded(((clientY - top) / height) * 100),
})

const directions: Readonly<Record<string, Place>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
}

/** Where the crosshair is after a key; undefined if the key does not move it. Pictures are not mirrored, so left is left. */
export function steered({ x, y }: Place, key: string, percent: number): Place | undefined {
  const by = Object.hasOwn(directions, key) ? directions[key] : undefined
  return by && { x: rounded(x + by.x * percent), y: rounded(y + by.y * percent) }
}

/** Fingers are this wide, and crosshairs that exact. */
const reachPx = 14

/** The mark at a place, as an index; the nearest if several are within reach. */
function markAt(marks: readonly Place[], { x, y }: Place, { width, height }: Box): number | undefined {
  const distances = marks.map((mark) =>
    Math.hypot(((mark.x - x) * width) / 100, ((mark.y - y) * height) / 100),
  )
  const nearest = Math.min(...distances)
  return nearest <= reachPx ? distances.indexOf(nearest) : undefined
}

/** A single mark moves to the new place. Of several, the one that is there already is removed. */
export function withMark(marks: readonly Place[], place: Place, max: number, box: Box): Change {
  if (max === 1) return { kind: marks.length === 0 ? 'set' : 'moved', number: 1, marks: [place] }
  const there = markAt(marks, place, box)
  if (there !== undefined) return withoutMark(marks, there)
  return marks.length < max
    ? { kind: 'set', number: marks.length + 1, marks: [...marks, place] }
    : { kind: 'full' }
}

export const withoutMark = (marks: readonly Place[], index: number): Change => ({
  kind: 'removed',
  number: index + 1,
  marks: marks.toSpliced(index, 1),
})
