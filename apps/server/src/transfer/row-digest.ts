import { hash } from 'node:crypto'

/** What a table holds, in whichever order its rows are read. */
export interface TableDigest {
  rows: number
  digest: string
}

export interface RowDigest {
  /** Takes a row as its JSON text, without a newline. */
  add(line: string): void
  result(): TableDigest
}

const modulus = 2n ** 256n

/**
 * The sum of the SHA-256 of all rows, modulo 2^256. A sum, because engines return rows in different orders, and sorting
 * millions of them in both would cost more than copying them. It finds rows that are lost, doubled or changed; it is
 * no protection against somebody who chooses rows so that the sum is right.
 */
export function createRowDigest(): RowDigest {
  let sum = 0n
  let rows = 0
  return {
    add(line) {
      sum = (sum + BigInt(`0x${hash('sha256', line)}`)) % modulus
      rows++
    },
    result: () => ({ rows, digest: sum.toString(16).padStart(64, '0') }),
  }
}
