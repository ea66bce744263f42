import type { Static, TSchema } from 'typebox'
import { checkerFor } from '#checker'

/** Whether values fit a schema. Prepared on first use, because a browser that imports the contract needs few or none. */
export function compiledOnce<Schema extends TSchema>(schema: Schema) {
  let fits: ((value: unknown) => boolean) | undefined
  return (value: unknown): value is Static<Schema> => {
    fits ??= checkerFor(schema)
    return fits(value)
  }
}
