/** At most `max` UTF-16 units, as the room counts them, and never half a character at the end. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text
  const cut = text.slice(0, max)
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut
}

/** Replaces what no store can keep, character by character, so that the length stays the same. */
export const storableText = (text: string): string => text.toWellFormed().replaceAll('\u0000', '\uFFFD')

/** The part of JSON Schema that says where texts are in a response. */
interface Node {
  pattern?: string
  items?: Node
  anyOf?: Node[]
  properties?: Record<string, Node>
}

/**
 * A response in which every text fits its pattern if only its characters are wrong. A model writes line breaks into a
 * field of one line, as people do who paste; a page drops them, and so does this. The server's grammar cannot forbid
 * them.
 */
export function withFittingTexts(schema: Node, value: unknown): unknown {
  const { pattern, items, anyOf, properties } = schema
  if (anyOf) return anyOf.reduce<unknown>((changed, form) => withFittingTexts(form, changed), value)
  if (typeof value === 'string') return pattern === undefined ? value : fittingText(pattern, value)
  if (Array.isArray(value)) return items ? value.map((item) => withFittingTexts(items, item)) : value
  if (typeof value !== 'object' || value === null || !properties) return value
  const fields = new Map(Object.entries(properties))
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const field = fields.get(name)
      return [name, field ? withFittingTexts(field, inner) : inner]
    }),
  )
}

function fittingText(pattern: string, text: string): string {
  const form = new RegExp(pattern, 'u')
  const storable = storableText(text)
  const candidates = [text, storable, storable.replaceAll(/\p{Cc}/gu, ' ')]
  return candidates.find((candidate) => form.test(candidate)) ?? text
}
