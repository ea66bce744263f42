import type { Edge, Graph } from './graph.ts'

/**
 * RM245: makes one whole of a network that chance has left in pieces, as far as its edges suffice: an edge that its piece does not need is
 * moved to join it with another. So the number of edges stays what was asked for, and nobody plays alone.
 */
export function connect(graph: Graph, next: () => number): void {
  const { pieces, spare } = piecesOf(graph)
  while (pieces.count > 1 && spare.length > 0) {
    const [[one, other] = [0, 0]] = spare.splice(Math.floor(next() * spare.length), 1)
    const strangers = Array.from({ length: graph.size }, (_, node) => node).filter(
      (node) => pieces.of(node) !== pieces.of(one),
    )
    const stranger = strangers[Math.floor(next() * strangers.length)] ?? one
    graph.cut(one, other)
    graph.join(one, stranger)
    pieces.unite(one, stranger)
  }
}

/** The pieces of a network, and the edges without which none of them falls apart. */
function piecesOf(graph: Graph) {
  const pieces = createPieces(graph.size)
  const spare: Edge[] = graph.edges().filter(([one, other]) => !pieces.unite(one, other))
  return { pieces, spare }
}

/** Union–find. */
function createPieces(size: number) {
  const parents = Array.from({ length: size }, (_, node) => node)
  function of(node: number): number {
    let at = node
    while (parents[at] !== at) {
      parents[at] = parents[parents[at] ?? at] ?? at
      at = parents[at] ?? at
    }
    return at
  }
  const pieces = {
    count: size,
    of,
    /** False where both were in one already. */
    unite(one: number, other: number): boolean {
      const [first, second] = [of(one), of(other)]
      if (first === second) return false
      parents[second] = first
      pieces.count -= 1
      return true
    },
  }
  return pieces
}
