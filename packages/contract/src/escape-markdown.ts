/**
 * A value as text in Markdown, whatever it contains: every mark is escaped, and line breaks, which begin lists, headings
 * and code, become spaces.
 */
export const escapeMarkdown = (value: string): string =>
  oneLine(value).replace(/[!-/:-@[-`{-~]/g, String.raw`\$&`)

/** Line breaks and other white space as single spaces, without characters that turn the direction of what follows. */
export const oneLine = (value: string): string =>
  value
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
    // Spaces that keep a number and its unit together stay.
    .replace(/(?:[^\S\u00a0\u202f]|\p{Cc})+/gu, ' ')
    .trim()
