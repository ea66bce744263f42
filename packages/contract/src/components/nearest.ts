/** A definition may contain thousands of names and mistakes; a suggestion is not worth comparing all pairs. */
const maxCompared = 200
const longestCompared = 64
const maxSuggested = 20

export type Suggest = (written: string, known: Iterable<string>) => string | undefined

/** Suggests names only for the first mistakes: with hundreds of them, the first few are enough. */
export function createSuggestions(): Suggest {
  let left = maxSuggested
  return (written, known) => (left-- > 0 ? nearestName(written, known) : undefined)
}

/** The candidate that was most likely meant; undefined if none is close enough. */
export function nearestName(written: string, known: Iterable<string>): string | undefined {
  if (written.length > longestCompared) return undefined
  const wanted = plain(written)
  const candidates = firstOf(known)
  let farthest = Math.max(1, Math.floor(wanted.length / 3))
  let best: string | undefined
  for (const name of candidates) {
    const distance = editDistance(wanted, plain(name), farthest)
    if (distance > farthest) continue
    // From here on only a closer one counts, so that the first of two equally close names wins.
    best = name
    farthest = distance - 1
  }
  return best ?? candidates.find((name) => isPartOf(wanted, plain(name)))
}

function firstOf(known: Iterable<string>): string[] {
  const first: string[] = []
  for (const name of known) {
    if (first.length === maxCompared) break
    if (name.length <= longestCompared) first.push(name)
  }
  return first
}

/** `multipleChoice` and `multiple-choice` are `multiple_choice`. */
const plain = (name: string) => name.toLowerCase().replaceAll(/[_\-\s]/g, '')

const shortestPart = 4

/** `html` is close to `custom_html`, and `likert_scale` to `likert`. */
const isPartOf = (one: string, other: string) =>
  Math.min(one.length, other.length) >= shortestPart && (one.includes(other) || other.includes(one))

/**
 * Number of insertions, deletions, replacements and swaps of neighbours that turn one word into the other; infinite as
 * soon as it is certain to exceed `farthest`.
 */
function editDistance(from: string, to: string, farthest: number): number {
  if (Math.abs(from.length - to.length) > farthest) return Number.POSITIVE_INFINITY
  const rows = [Array.from({ length: to.length + 1 }, (_, column) => column)]
  const at = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY
  for (let row = 1; row <= from.length; row++) {
    const distances = [row]
    rows[row] = distances
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1]
      const isSwap = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      distances.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + (isSame ? 0 : 1),
          isSwap ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    if (Math.min(...distances) > farthest && Math.min(...(rows[row - 1] ?? [])) > farthest)
      return Number.POSITIVE_INFINITY
  }
  return at(from.length, to.length)
}
