/** Reads of JSON of which nothing is known yet. */

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const recordOr = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {})

export const listOr = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** Deeper values make `JSON.stringify` and schema checks overflow the stack; perceptions have about ten levels. */
export const deepestValue = 64

export function isDeeperThan(value: unknown, levels: number): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > levels) return true
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []))
  }
  return false
}

/** Undefined for text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
