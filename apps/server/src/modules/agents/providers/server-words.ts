import type { BoundedJson } from './bounded-json.ts'

const maxQuotedChars = 160
const maxLoggedChars = 65_536

/** Shorter keys are placeholders such as “none”; to strike them out would strike words out of answers. */
const shortestSecretChars = 8

/** Takes the key out of what a server says: some repeat it when they refuse it, and a hostile one may do so anywhere. */
export type Redact = (text: string) => string

export function createRedact(apiKey: string): Redact {
  if (apiKey.length < shortestSecretChars) return (text) => text
  const inJson = JSON.stringify(apiKey).slice(1, -1)
  const spellings = new Set([apiKey, inJson, inJson.replaceAll('/', '\\/'), encodeURIComponent(apiKey)])
  return (text) => {
    const rest = [...spellings].reduce((left, spelling) => left.replaceAll(spelling, '<key>'), text)
    // Text that holds JSON, such as the arguments of a call, can spell each character in several ways.
    return rest.includes('\\') && unescaped(rest).includes(apiKey) ? '<key>' : rest
  }
}

const unescaped = (json: string): string =>
  json.replace(/\\(?:u([0-9a-f]{4})|(.))/gi, (_escape, hex?: string, char = '') =>
    hex === undefined ? char : String.fromCharCode(Number.parseInt(hex, 16)),
  )

/** The same JSON without the key. The value's depth is bounded by its caller. */
export function redactValue(value: unknown, redact: Redact): unknown {
  if (typeof value === 'string') return redact(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((inner) => redactValue(inner, redact))
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [redact(name), redactValue(inner, redact)]),
  )
}

/** Short, on one line and without control characters. */
export function quote(text: string, redact: Redact): string {
  const plain = redact(text)
    .slice(0, 10_000)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
  return `“${plain.length > maxQuotedChars ? `${plain.slice(0, maxQuotedChars).toWellFormed()} …` : plain}”`
}

/** What the log keeps of a body: its JSON, or the beginning of its text if it is long or not sensible JSON. */
export function loggedBody(text: string, body: BoundedJson, redact: Redact): unknown {
  const clean = (part: string) => storable(redact(part))
  if (body.kind !== 'json') return clean(text)
  const value = redactValue(body.value, clean)
  const json = JSON.stringify(value)
  return json.length > maxLoggedChars ? storable(json) : value
}

/** Databases store neither NUL nor half a character. */
const storable = (text: string): string => text.slice(0, maxLoggedChars).replaceAll('\0', '').toWellFormed()
