/** A definition may have thousands of names and of mistakes; a suggestion is not worth all their pairs. */
const mostCompared = 200

/** The candidate that someone most likely meant, or none that is near enough. */
export function nearestName(written: string, known: Iterable<string>): string | undefined {
  const wanted = plain(written)
  const candidates = [...known].slice(0, mostCompared)
  const farthest = Math.max(1, Math.floor(wanted.length / 3))
  const [best] = candidates
    .map((name) => ({ name, distance: editDistance(wanted, plain(name)) }))
    .filter(({ distance }) => distance <= farthest)
    .sort((a, b) => a.distance - b.distance)
  return best?.name ?? candidates.find((name) => isPartOf(wanted, plain(name)))
}

/** `multipleChoice` and `multiple-choice` are `multiple_choice`. */
const plain = (name: string) => name.toLowerCase().replaceAll(/[_\-\s]/g, '')

const shortestPart = 4

/** `html` is near to `custom_html`, and `likert_scale` to `likert`. */
const isPartOf = (one: string, other: string) =>
  Math.min(one.length, other.length) >= shortestPart && (one.includes(other) || other.includes(one))

/** Insertions, deletions, replacements and swaps of neighbours that turn one word into the other. */
function editDistance(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, column) => column)]
  const at = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY
  for (let row = 1; row <= from.length; row++) {
    rows[row] = [row]
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1]
      const isSwap = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      rows[row]?.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + (isSame ? 0 : 1),
          isSwap ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
  }
  return at(from.length, to.length)
}
