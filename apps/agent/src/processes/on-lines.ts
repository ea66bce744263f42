import type { Readable } from 'node:stream'

/** Longer lines are cut: a program that never ends its line must not fill our memory. */
const maxLineChars = 16_384

/** Calls `onLine` for each whole line, however the stream cuts it into pieces. */
export function onLines(stream: Readable, onLine: (line: string) => void): void {
  let rest = ''
  stream.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split(/\r?\n/)
    rest = (lines.pop() ?? '').slice(-maxLineChars)
    for (const line of lines) onLine(line.slice(0, maxLineChars))
  })
  stream.on('end', () => rest !== '' && onLine(rest))
  stream.on('error', () => undefined) // The end of the process says what there is to say.
}
