interface LineCutter {
  /** The lines that end in this piece, without their ends (`\n` or `\r\n`). */
  add(text: string): string[]
  /** What has no end yet. */
  rest(): string
  readonly restChars: number
}

/** Cuts a text into lines, however it comes in pieces. Each piece is read once: strangers may send a long line byte by byte. */
export function createLineCutter(): LineCutter {
  let pieces: string[] = []
  let restChars = 0
  return {
    add(text) {
      const [first = '', ...others] = text.split('\n')
      const last = others.pop()
      if (last === undefined) {
        if (first !== '') pieces.push(first)
        restChars += first.length
        return []
      }
      const lines = [pieces.join('') + first, ...others]
      pieces = last === '' ? [] : [last]
      restChars = last.length
      return lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line))
    },
    rest: () => pieces.join(''),
    get restChars() {
      return restChars
    },
  }
}
