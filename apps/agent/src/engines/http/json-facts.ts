/** Reads of JSON of which nothing is known yet. */

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const recordOr = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {})

export const listOr = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** Undefined for text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
