import type { Type } from 'typebox'
import { Value } from 'typebox/value'

/** Undefined for a missing value, and for one that does not fit the schema. */
export function parseJson<Schema extends Type.TSchema>(
  schema: Schema,
  text: string | null | undefined,
): Type.Static<Schema> | undefined {
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    return Value.Check(schema, value) ? value : undefined
  } catch {
    return undefined
  }
}

/**
 * `http://host:port` in its one normal form, or undefined for anything else. Requests are sent only to origins that
 * this function returned, so an address with a path, a user or another scheme is rejected.
 */
export function parseOrigin(text: string): string | undefined {
  const url = URL.parse(text)
  if (url === null || url.protocol !== 'http:') return undefined
  return url.href === `${url.origin}/` ? url.origin : undefined
}
