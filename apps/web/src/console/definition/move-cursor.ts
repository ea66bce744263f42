import { lineAndColumn } from './json-places.ts'

/** How much of what was found is marked: a whole state marked would scroll the beginning out of sight. */
const mostMarked = 200

/** Puts the cursor at a place of the text and scrolls there; browsers do the second only when one types. */
export function moveCursor(area: HTMLTextAreaElement, from: number, to: number): void {
  const lineHeight = Number.parseFloat(getComputedStyle(area).lineHeight)
  const { line } = lineAndColumn(area.value, from)
  area.focus()
  area.setSelectionRange(from, Math.min(to, from + mostMarked))
  area.scrollTop = Math.max(0, (line - 4) * lineHeight)
  area.scrollLeft = 0
}
