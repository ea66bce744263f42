import type { FlowEdge, FlowGraph } from './flow-graph.ts'

export const box = { width: 190, height: 48, gapX: 36, gapY: 44, margin: 70 } as const

interface Placed {
  x: number
  y: number
}

export interface FlowLayout {
  width: number
  height: number
  /** By index; the last is the end. */
  places: readonly Placed[]
  /** SVG paths, as the edges are ordered. */
  paths: readonly { edge: FlowEdge; path: string; labelX: number; labelY: number }[]
}

/**
 * In layers from top to bottom: a state stands below everything that leads forward to it, beside others that can be
 * reached at the same time. What leads back or far ahead goes around.
 */
export function layOut({ nodes, edges, end }: FlowGraph): FlowLayout {
  const layers = layersOf(end, edges, new Set(nodes.filter((node) => node.isUnreachable).map(({ at }) => at)))
  const rows: number[][] = []
  for (const [at, layer] of layers.entries()) {
    const row = rows[layer] ?? []
    row.push(at)
    rows[layer] = row
  }
  const widest = Math.max(1, ...rows.map((row) => row?.length ?? 0))
  const inner = widest * box.width + (widest - 1) * box.gapX
  const width = inner + 2 * box.margin
  const places: Placed[] = []
  for (const [layer, row] of rows.entries()) {
    const rowWidth = row.length * box.width + (row.length - 1) * box.gapX
    for (const [column, at] of row.entries())
      places[at] = {
        x: box.margin + (inner - rowWidth) / 2 + column * (box.width + box.gapX),
        y: 24 + layer * (box.height + box.gapY),
      }
  }
  const paths = edges.map((edge) => routed(edge, places, layers, width))
  return { width, height: 24 + rows.length * (box.height + box.gapY), places, paths }
}

/** Forward edges lead to a state further down the list; the others do not move anything. */
function layersOf(end: number, edges: readonly FlowEdge[], unreachable: ReadonlySet<number>): number[] {
  const into = new Map<number, number[]>()
  for (const { from, to } of edges)
    if (to > from && !unreachable.has(from)) into.set(to, [...(into.get(to) ?? []), from])
  const layers: number[] = []
  for (let at = 0; at <= end; at += 1) {
    const before = (into.get(at) ?? []).map((from) => layers[from] ?? 0)
    const above = before.length > 0 ? before : at > 0 ? [layers[at - 1] ?? 0] : [-1]
    layers[at] = Math.max(...above) + 1
  }
  // The end is below everything.
  layers[end] = Math.max(0, ...layers.slice(0, end).map((layer) => layer + 1))
  return layers
}

function routed(edge: FlowEdge, places: readonly Placed[], layers: readonly number[], width: number) {
  const from = places[edge.from] ?? { x: 0, y: 0 }
  const to = places[edge.to] ?? { x: 0, y: 0 }
  const startX = from.x + box.width / 2
  const startY = from.y + box.height
  const endX = to.x + box.width / 2
  const rise = (layers[edge.to] ?? 0) - (layers[edge.from] ?? 0)
  if (rise === 1) {
    const middle = (startY + to.y) / 2
    return {
      edge,
      path: `M${startX} ${startY}C${startX} ${middle} ${endX} ${middle} ${endX} ${to.y - 4}`,
      labelX: (startX + endX) / 2 + 6,
      labelY: middle + 4,
    }
  }
  // Around: far ahead on the right, back on the left.
  const isBack = rise <= 0
  const sideX = isBack ? 18 + (edge.from % 4) * 10 : width - 18 - (edge.from % 4) * 10
  const outX = isBack ? from.x : from.x + box.width
  const inX = isBack ? to.x : to.x + box.width
  const outY = from.y + box.height * 0.7
  const inY = to.y + box.height * 0.3
  return {
    edge,
    path: `M${outX} ${outY}C${sideX} ${outY} ${sideX} ${outY} ${sideX} ${(outY + inY) / 2}S${sideX} ${inY} ${inX + (isBack ? -4 : 4)} ${inY}`,
    labelX: sideX,
    labelY: (outY + inY) / 2,
  }
}
