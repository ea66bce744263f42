import { degreeOf, limits, type Network } from '@atrium/contract'
import { connect } from './connect.ts'
import { createGraph, type Edge, type Graph } from './graph.ts'

type Draw = () => number

/**
 * RM245: who is joined with whom in a room of these roles, in seat order. A function of the draws alone. Recorded rooms rely on it: never
 * change what it draws.
 */
export function drawNetwork(network: Network, roles: readonly string[], next: Draw): Edge[] {
  const graph = createGraph(roles.length)
  const degree = degreeOf(network) ?? 0
  switch (network.kind) {
    case 'complete':
      everyone(graph)
      break
    case 'ring':
      ring(graph, degree)
      break
    case 'lattice':
      lattice(graph, degree)
      break
    case 'small_world':
      smallWorld(graph, degree, network.rewire ?? 0.1, next)
      break
    case 'random':
      randomly(graph, degree, next)
      break
    case 'scale_free':
      scaleFree(graph, degree, next)
      break
    case 'edges':
      listed(graph, network.edges ?? [], roles)
  }
  // A group may be larger than when this was checked; whatever was stored must not stop a server.
  return graph.edges().slice(0, limits.definition.edges)
}

function everyone(graph: Graph): void {
  for (let one = 0; one < graph.size; one++)
    for (let other = one + 1; other < graph.size; other++) graph.join(one, other)
}

/** A circle, each joined with the nearest on either side. In small groups, that is everyone. */
function ring(graph: Graph, degree: number): void {
  for (let distance = 1; distance <= degree / 2 && distance < graph.size; distance++)
    for (let node = 0; node < graph.size; node++) graph.join(node, (node + distance) % graph.size)
}

/** Rows of a grid that is as square as the number of seats allows. */
export function rowsOfLattice(size: number): number {
  let rows = Math.floor(Math.sqrt(size))
  while (rows > 1 && size % rows !== 0) rows -= 1
  return Math.max(1, rows)
}

/** A grid whose borders meet, so that all have as many neighbours: above, below, left, right; with 8, the corners as well. */
function lattice(graph: Graph, degree: number): void {
  const rows = rowsOfLattice(graph.size)
  const columns = graph.size / rows
  const steps = [
    [0, 1],
    [1, 0],
    ...(degree > 4
      ? [
          [1, 1],
          [1, -1],
        ]
      : []),
  ] as const
  const at = (row: number, column: number): number =>
    ((row + rows) % rows) * columns + ((column + columns) % columns)
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++)
      for (const [down, right] of steps) graph.join(at(row, column), at(row + down, column + right))
}

/** Watts and Strogatz: a ring in which the far end of each edge is moved with a probability. */
function smallWorld(graph: Graph, degree: number, probability: number, next: Draw): void {
  ring(graph, degree)
  for (let distance = 1; distance <= degree / 2; distance++)
    for (let node = 0; node < graph.size; node++) {
      const isMoved = next() < probability
      const other = (node + distance) % graph.size
      if (!isMoved || !graph.of(node).has(other)) continue
      const stranger = drawStranger(graph, node, next)
      if (stranger === undefined) continue
      graph.cut(node, other)
      graph.join(node, stranger)
    }
  connect(graph, next)
}

/** Somebody whom the node is not joined with; undefined where it is joined with everyone. */
function drawStranger(graph: Graph, node: number, next: Draw): number | undefined {
  const known = graph.of(node)
  const isStranger = (one: number): boolean => one !== node && !known.has(one)
  const drawn = (of: number): number => Math.floor(next() * of)
  // Listing all strangers for each edge would take a room of a thousand seconds; where most are, one is soon found.
  if (known.size < graph.size / 2 - 1)
    for (;;) {
      const one = drawn(graph.size)
      if (isStranger(one)) return one
    }
  const strangers = Array.from({ length: graph.size }, (_, one) => one).filter(isStranger)
  return strangers[drawn(strangers.length)]
}

/** Erdős and Rényi: of all pairs, as many as give everyone this many neighbours on average. */
function randomly(graph: Graph, degree: number, next: Draw): void {
  const pairs = (graph.size * (graph.size - 1)) / 2
  const wanted = Math.min(pairs, Math.round((graph.size * degree) / 2))
  const isMost = wanted > pairs / 2
  const drawn = new Set<number>()
  // Of most of them, those that are left out are drawn: otherwise the last ones would take long to find.
  while (drawn.size < (isMost ? pairs - wanted : wanted)) drawn.add(Math.floor(next() * pairs))
  let pair = 0
  for (let other = 1; other < graph.size; other++)
    for (let one = 0; one < other; one++) if (drawn.has(pair++) !== isMost) graph.join(one, other)
  connect(graph, next)
}

/** Barabási and Albert: one after the other joins some of those before, the more likely the more neighbours they have. */
function scaleFree(graph: Graph, degree: number, next: Draw): void {
  const each = Math.min(Math.max(1, Math.floor(degree / 2)), Math.max(0, graph.size - 1))
  // Whoever comes first has most neighbours, and must be anybody: seats are given in the order in which people came.
  const seats = shuffledSeats(graph.size, next)
  const seatAt = (place: number): number => seats[place] ?? 0
  const ends: number[] = []
  const join = (one: number, other: number): void => {
    if (graph.join(seatAt(one), seatAt(other))) ends.push(one, other)
  }
  for (let one = 0; one <= each && one < graph.size; one++)
    for (let other = 0; other < one; other++) join(one, other)
  for (let place = each + 1; place < graph.size; place++) {
    const chosen = new Set<number>()
    while (chosen.size < each) chosen.add(ends[Math.floor(next() * ends.length)] ?? 0)
    for (const other of chosen) join(place, other)
  }
}

function shuffledSeats(size: number, next: Draw): number[] {
  const seats = Array.from({ length: size }, (_, seat) => seat)
  for (let last = size - 1; last > 0; last--) {
    const drawn = Math.floor(next() * (last + 1))
    const kept = seats[last] ?? last
    seats[last] = seats[drawn] ?? drawn
    seats[drawn] = kept
  }
  return seats
}

/** What is listed of seats that a smaller room does not have is left out. */
function listed(graph: Graph, edges: NonNullable<Network['edges']>, roles: readonly string[]): void {
  const seatsOf = (end: number | string | undefined): number[] =>
    typeof end === 'number' ? [end - 1] : roles.flatMap((role, seat) => (role === end ? [seat] : []))
  for (const [first, second] of edges)
    for (const one of seatsOf(first)) for (const other of seatsOf(second)) graph.join(one, other)
}
