import type { Type } from 'typebox'
import { Value } from 'typebox/value'

/** Undefined for what is missing, and for what somebody else wrote under the key. */
export function parseAs<Schema extends Type.TSchema>(
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
