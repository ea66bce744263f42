import type { IModule } from 'dependency-cruiser'

/** Maps each folder to the folders it imports from. */
type FolderGraph = Map<string, Set<string>>

/** `modules/rooms`, `adapters/sql`, `http`, or a file at the top level. */
const folderOf = (path: string): string | undefined =>
  /^apps\/server\/src\/((?:modules|adapters)\/[^/]+|[^/]+)/.exec(path)?.[1]

export function foldersIn(files: readonly IModule[]): FolderGraph {
  const graph: FolderGraph = new Map()
  for (const { source, dependencies } of files) {
    const from = folderOf(source)
    if (from === undefined) continue
    const imported = graph.get(from) ?? new Set()
    graph.set(from, imported)
    for (const { resolved } of dependencies) {
      const to = folderOf(resolved)
      if (to !== undefined && to !== from) imported.add(to)
    }
  }
  return graph
}

/** The folders, outermost first: each imports only from later layers. Folders in a cycle share a layer. */
export function layersOf(graph: FolderGraph): { layers: string[][]; circles: string[] } {
  const layers: string[][] = []
  const circles: string[] = []
  const left = new Set(graph.keys())
  while (left.size > 0) {
    const isInnermost = (folder: string) => [...(graph.get(folder) ?? [])].every((to) => !left.has(to))
    let layer = [...left].filter(isInnermost)
    if (layer.length === 0) {
      layer = innermostCircle(graph, left)
      circles.push(`circle: ${layer.join(' ⇄ ')}`)
    }
    for (const folder of layer) left.delete(folder)
    layers.unshift(layer.toSorted())
  }
  return { layers, circles }
}

/** The smallest set of folders that only import each other. */
function innermostCircle(graph: FolderGraph, left: ReadonlySet<string>): string[] {
  const reachedFrom = (folder: string): string[] => {
    const reached = new Set<string>()
    const next = [folder]
    for (let at = next.pop(); at !== undefined; at = next.pop())
      for (const to of graph.get(at) ?? [])
        if (left.has(to) && !reached.has(to)) {
          reached.add(to)
          next.push(to)
        }
    return [...reached]
  }
  return [...left].map(reachedFrom).reduce((min, one) => (one.length < min.length ? one : min))
}
