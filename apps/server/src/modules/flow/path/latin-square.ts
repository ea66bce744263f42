/**
 * One row of a balanced (Williams) Latin square over 0 … n-1. Among its rows (n of them, 2n when n is odd) every value
 * is in every position equally often and follows every other equally often. Rows repeat beyond the square.
 */
export function latinSquareRow(n: number, row: number): number[] {
  const rows = n % 2 === 0 ? n : 2 * n
  const chosen = ((row % rows) + rows) % rows
  const values = Array.from({ length: n }, (_, column) => (zigzag(column, n) + chosen) % n)
  return chosen < n ? values : values.reverse()
}

/** 0, 1, n-1, 2, n-2, …: each step has another length, hence the balance of what follows what. */
const zigzag = (column: number, n: number): number =>
  column % 2 === 1 ? (column + 1) / 2 : (n - column / 2) % n
