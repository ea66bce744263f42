/** Two seats that are joined, counted from 0, the lower one first. */
export type Edge = readonly [number, number]

/** Who is joined with whom while a network is being made: no loops, nothing twice. */
export function createGraph(size: number) {
  const neighbours = Array.from({ length: size }, () => new Set<number>())
  const of = (node: number): Set<number> => neighbours[node] ?? new Set()
  const isNode = (node: number): boolean => node >= 0 && node < size
  return {
    size,
    of: (node: number): ReadonlySet<number> => of(node),
    /** False where it changes nothing. */
    join(one: number, other: number): boolean {
      if (one === other || !isNode(one) || !isNode(other) || of(one).has(other)) return false
      of(one).add(other)
      of(other).add(one)
      return true
    },
    cut(one: number, other: number): void {
      of(one).delete(other)
      of(other).delete(one)
    },
    edges: (): Edge[] =>
      neighbours.flatMap((others, one) =>
        [...others]
          .filter((other) => one < other)
          .sort((a, b) => a - b)
          .map((other): Edge => [one, other]),
      ),
  }
}
export type Graph = ReturnType<typeof createGraph>

/** The neighbours of each seat, in seat order. */
export function neighboursIn(size: number, edges: readonly Edge[]): readonly (readonly number[])[] {
  const found: number[][] = Array.from({ length: size }, () => [])
  for (const [one, other] of edges) {
    found[one]?.push(other)
    found[other]?.push(one)
  }
  for (const others of found) others.sort((a, b) => a - b)
  return found
}
