const gap = '  '
const minTextColumns = 30

/** Rows of short cells and a last one of running text, which is wrapped within its column. */
export function formatTable(rows: readonly (readonly [...string[]])[], columns = 100): string {
  const shortCells = Math.max(0, ...rows.map((row) => row.length - 1))
  const widths = Array.from({ length: shortCells }, (_, index) =>
    Math.max(...rows.map((row) => row[index]?.length ?? 0)),
  )
  const indent = widths.reduce((sum, width) => sum + width + gap.length, gap.length)
  const room = Math.max(minTextColumns, columns - indent)
  return rows
    .map((row) => {
      const short = widths.map((width, index) => (row[index] ?? '').padEnd(width))
      const [first = '', ...more] = wrap(row.at(-1) ?? '', room)
      const rest = more.map((line) => `\n${' '.repeat(indent)}${line}`)
      return `${gap}${[...short, first].join(gap)}${rest.join('')}`.trimEnd()
    })
    .join('\n')
}

/** Breaks at spaces; an address that is longer than the line stays whole, so that it can be copied. */
function wrap(text: string, room: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= room)
      lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}
