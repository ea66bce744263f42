const longestWords = 500

/** Text of a stranger that becomes part of our sentence: short, and without control characters. */
export const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, longestWords)
