/** The candidate that was probably meant, or undefined if none is close. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  if (word.length > 100) return undefined
  const [best] = candidates
    .map((candidate) => ({ candidate, distance: editDistance(word, candidate) }))
    .toSorted((a, b) => a.distance - b.distance)
  // A third of the letters may be wrong; more, and it is another word.
  return best !== undefined && best.distance <= Math.max(1, Math.floor(word.length / 3))
    ? best.candidate
    : undefined
}

/** How many letters have to be inserted, removed, replaced or swapped with their neighbour. */
function editDistance(from: string, to: string): number {
  let [before, row]: [number[], number[]] = [[], Array.from({ length: to.length + 1 }, (_, index) => index)]
  for (let line = 1; line <= from.length; line++) {
    const next = [line]
    for (let column = 1; column <= to.length; column++) {
      const [letter, other] = [from[line - 1], to[column - 1]]
      const replaced = (row[column - 1] ?? 0) + (letter === other ? 0 : 1)
      const isSwapped = line > 1 && column > 1 && letter === to[column - 2] && from[line - 2] === other
      const swapped = isSwapped ? (before[column - 2] ?? 0) + 1 : replaced
      next.push(Math.min(replaced, swapped, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1))
    }
    ;[before, row] = [row, next]
  }
  return row.at(-1) ?? 0
}
