/** How many people can go from `source` to `sink`, when each way between has places for so many (Edmonds and Karp). */
export function createNetwork() {
  const targets: number[] = []
  const left: number[] = []
  /** Ways from each node. The way back of each is the next number, or the one before. */
  const waysFrom: number[][] = [[], []]
  let steps = 0

  function addWay(from: number, to: number, places: number): void {
    waysFrom[from]?.push(targets.length)
    targets.push(to)
    left.push(places)
  }

  /** The way by which each node is reached, by the shortest path; undefined if the sink is not. */
  function waysToSink(): Map<number, number> | undefined {
    const reachedBy = new Map<number, number>([[source, -1]])
    // The map grows while it is read: breadth first.
    for (const node of reachedBy.keys()) {
      if (node === sink) return reachedBy
      for (const way of waysFrom[node] ?? []) {
        steps += 1
        const to = targets[way] ?? source
        if ((left[way] ?? 0) > 0 && !reachedBy.has(to)) reachedBy.set(to, way)
      }
    }
    return undefined
  }

  function pathOf(reachedBy: ReadonlyMap<number, number>): number[] {
    const path: number[] = []
    for (let way = reachedBy.get(sink) ?? -1; way !== -1; ) {
      path.push(way)
      way = reachedBy.get(targets[way ^ 1] ?? source) ?? -1
    }
    return path
  }

  return {
    source,
    sink,
    addNode: (): number => waysFrom.push([]) - 1,
    connect(from: number, to: number, places: number): void {
      addWay(from, to, places)
      addWay(to, from, 0)
    },
    /** Sends as many more as possible. Those who were sent before may take other ways, but all of them arrive. */
    send(): number {
      let sent = 0
      for (let reachedBy = waysToSink(); reachedBy; reachedBy = waysToSink()) {
        const path = pathOf(reachedBy)
        const many = Math.min(...path.map((way) => left[way] ?? 0))
        for (const way of path) {
          left[way] = (left[way] ?? 0) - many
          left[way ^ 1] = (left[way ^ 1] ?? 0) + many
        }
        sent += many
      }
      return sent
    },
    /** Ways that were looked at. */
    steps: (): number => steps,
  }
}

const source = 0
const sink = 1
