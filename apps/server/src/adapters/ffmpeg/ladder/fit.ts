import type { Size } from '../source/film.ts'

/** The largest size of the same proportions within the box, in the even numbers that 4:2:0 needs. */
export function fitWithin({ width, height }: Size, box: Size): Size {
  const scale = Math.min(box.width / width, box.height / height)
  return { width: even(width * scale, box.width), height: even(height * scale, box.height) }
}

const even = (side: number, most: number): number => Math.min(Math.max(Math.round(side / 2) * 2, 2), most)
