const longestText = 200

/**
 * A field of the join metadata as expressions read it. Links carry nothing but text, so what looks like a number or a truth
 * value is one; undefined for anything else.
 */
export function valueInLink(given: unknown): string | number | boolean | undefined {
  if (typeof given === 'number' || typeof given === 'boolean') return given
  if (typeof given !== 'string' || given.length > longestText) return undefined
  if (given === 'true' || given === 'false') return given === 'true'
  return /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/.test(given) ? Number(given) : given
}
