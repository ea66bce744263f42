const maxQuotedChars = 160

/**
 * Words of the server for a message: short, on one line, without the key (some servers repeat it when they refuse it), and
 * without control characters, which could do anything to a terminal.
 */
export function quote(text: string, apiKey: string): string {
  const plain = text
    .slice(0, 10_000)
    .replaceAll(apiKey, '<key>')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
  return `“${plain.length > maxQuotedChars ? `${plain.slice(0, maxQuotedChars)} …` : plain}”`
}

/** The message of an OpenAI-style error, or the body itself; empty for a web page, which says nothing in its first lines. */
export function wordsOfError(body: string, apiKey: string): string {
  const message = messageIn(body)
  if (message === undefined && /^\s*(<|$)/.test(body)) return ''
  return quote(message ?? body, apiKey)
}

function messageIn(body: string): string | undefined {
  try {
    const { error, detail, message } = JSON.parse(body)
    return [error?.message, error, detail, message].find((value) => typeof value === 'string')
  } catch {
    return undefined
  }
}
