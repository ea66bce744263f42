import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'

/** Compiled: a server evaluates every response in a room, and a choice in 12 µs instead of 265. */
export function checkerFor(schema: TSchema): (value: unknown) => boolean {
  const compiled = Compile(schema)
  return (value) => compiled.Check(value)
}
