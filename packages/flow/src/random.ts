import { createHash } from 'node:crypto'

/**
 * Numbers in [0, 1) that depend only on the seed: sfc32, initialized from a hash, so that similar seeds (`room 1`,
 * `room 2`) give unrelated numbers. Recorded seeds rely on it: never change the sequence.
 */
export function random(seed: string): () => number {
  const digest = createHash('sha256').update(seed).digest()
  let a = digest.readInt32LE(0)
  let b = digest.readInt32LE(4)
  let c = digest.readInt32LE(8)
  let counter = digest.readInt32LE(12)
  return () => {
    const mixed = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + mixed) | 0
    return (mixed >>> 0) / 0x1_0000_0000
  }
}

export const shuffled = <T>(items: readonly T[], seed: string): T[] => shuffledBy(items, random(seed))

/** Fisher–Yates: every order is equally likely. */
export function shuffledBy<T>(items: readonly T[], next: () => number): T[] {
  const drawn: T[] = []
  const left = [...items]
  while (left.length > 0) drawn.push(...left.splice(Math.floor(next() * left.length), 1))
  return drawn
}

/** The number of rows of a balanced Latin square over n values. */
export const latinSquareRows = (n: number): number => (n === 1 || n % 2 === 0 ? n : 2 * n)

/**
 * One row of a balanced (Williams) Latin square over 0 … n-1. Across its rows (n, or 2n when n is odd), every value is in
 * every position equally often and follows every other value equally often. Rows repeat beyond the square.
 */
export function latinSquareRow(n: number, row: number): number[] {
  const rows = latinSquareRows(n)
  const chosen = ((row % rows) + rows) % rows
  const values = Array.from({ length: n }, (_, column) => (zigzag(column, n) + chosen) % n)
  return chosen < n ? values : values.reverse()
}

/** 0, 1, n-1, 2, n-2, …: each step has a different length, which balances the order of neighbours. */
const zigzag = (column: number, n: number): number =>
  column % 2 === 1 ? (column + 1) / 2 : (n - column / 2) % n
