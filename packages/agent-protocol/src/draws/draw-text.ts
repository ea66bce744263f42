import { pickOne, type Random } from '@atrium/contract'

const words =
  'I think we should share it so that everyone gets something fair but maybe not all of it this time'.split(
    ' ',
  )

/** Something to read, of a length within the bounds, without line breaks. */
export function drawText(least: number, most: number, random: Random): string {
  const wanted = Math.min(most, Math.max(least, 5 + Math.floor(random() * 40)))
  let text = pickOne(words, random)
  while (text.length < wanted) text = `${text} ${pickOne(words, random)}`
  const cut = text.slice(0, wanted).trimEnd()
  // What the server trims must not fall below the least length.
  return cut.padEnd(Math.min(least, most), '.')
}
