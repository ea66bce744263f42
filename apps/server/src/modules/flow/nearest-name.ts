/** A definition may have thousands of names and of mistakes; a suggestion is not worth all their pairs. */
const mostCompared = 200

/** The known name that a misspelt one most likely meant; nothing when none is near. */
export function nearestName(wanted: string, known: Iterable<string>): string | undefined {
  const farthest = Math.max(1, Math.floor(wanted.length / 3))
  let best: { name: string; distance: number } | undefined
  let compared = 0
  for (const name of known) {
    if (compared === mostCompared) break
    compared += 1
    const distance = distanceBetween(wanted.toLowerCase(), name.toLowerCase(), farthest)
    if (distance <= farthest && (!best || distance < best.distance)) best = { name, distance }
  }
  return best?.name
}

/** `response.mood-score` is read as a subtraction: an id that goes on with a dash counts as near. */
export const nearestComponent = (wanted: string, known: ReadonlySet<string>): string | undefined =>
  nearestName(wanted, known) ?? [...known].find((id) => id.startsWith(`${wanted}-`))

/** Letters to insert, delete or replace; stops counting beyond `farthest`. */
function distanceBetween(a: string, b: string, farthest: number): number {
  if (Math.abs(a.length - b.length) > farthest) return farthest + 1
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
