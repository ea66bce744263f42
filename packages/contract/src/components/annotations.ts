import type { TSchema } from 'typebox'

/**
 * What the schema of a setting or response says beyond its form. Forms, codebooks and export columns are made from it,
 * so these are JSON Schema's own keywords, and one of ours:
 *
 * - `title`: a short name for people, e.g. “Longest message”. Every setting and every field of a response has one.
 * - `description`: a sentence, which for an optional setting ends with what holds “when absent”.
 * - `default`: the value that stands in for an absent setting.
 * - `writeOnly`: secret. Researchers write it, participants never receive it.
 * - `x-unit`: the unit of a number, e.g. `ms`, `px` or `characters`.
 */
export interface Annotations {
  title: string
  default: unknown
  writeOnly: true
  'x-unit': Unit
}

type Unit = 'ms' | 'px' | 'characters'

// Each is given a schema that was made for it: what is shared must not be annotated twice.

export const titled = <Schema extends TSchema>(title: string, schema: Schema): Schema =>
  Object.assign(schema, { title })

export const inUnit = <Schema extends TSchema>(unit: Unit, schema: Schema): Schema =>
  Object.assign(schema, { 'x-unit': unit })

export const defaultTo = <Schema extends TSchema, Value>(whenAbsent: Value, schema: Schema) =>
  Object.assign(schema, { default: whenAbsent })

export const secret = <Schema extends TSchema>(schema: Schema) =>
  Object.assign(schema, { writeOnly: true } as const)
