import { lineAndColumn } from './json-places.ts'

/** Longest selection: a whole selected state would scroll its beginning out of sight. */
const maxMarked = 200

/** Selects a place in the text and scrolls to it, which browsers do only while typing. */
export function moveCursor(area: HTMLTextAreaElement, from: number, to: number): void {
  const lineHeight = Number.parseFloat(getComputedStyle(area).lineHeight)
  const { line } = lineAndColumn(area.value, from)
  area.focus()
  area.setSelectionRange(from, Math.min(to, from + maxMarked))
  area.scrollTop = Math.max(0, (line - 4) * lineHeight)
  area.scrollLeft = 0
}
