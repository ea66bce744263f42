import type { TSchema } from 'typebox'
import type { MediaKind } from '../media/media-files.ts'

/**
 * What the schema of a setting or response says beyond its type. Forms, codebooks and export columns are generated from
 * it, using JSON Schema's own keywords and some of ours:
 *
 * - `title`: a short human-readable name, e.g. “Longest message”. Every setting and every response field has one.
 * - `description`: a sentence, which for an optional setting ends with its default, as in “; 4,000 when absent”.
 * - `default`: the value of an absent setting.
 * - `writeOnly`: secret. Participants never receive it.
 * - `x-unit`: the unit of a number, e.g. `ms`, `px`, `characters` or `bytes`.
 * - `x-live`: text that is found in a room although nobody reads it as text: an address, or a value that is recorded.
 * - `x-text`: participants read it. It may be given per language and, except in HTML, contain variables.
 * - `x-media`: the address of a picture or a sound, which may also be `media:<name>`; `x-media-id`: the id of an uploaded one.
 */
export interface Annotations {
  title: string
  default: unknown
  writeOnly: true
  'x-unit': Unit
  'x-text': TextFormat
  'x-live': 'address' | 'value'
  'x-media': MediaKind
  'x-media-id': MediaKind
}

/** How a text is shown. Variables in HTML would be markup that participants write, so it has none. */
export type TextFormat = 'plain' | 'markdown' | 'html'

type Unit = 'ms' | 'px' | 'characters' | 'bytes'

// These change the schema they are given, so a shared schema must not be passed to them.

export const titled = <Schema extends TSchema>(title: string, schema: Schema): Schema =>
  Object.assign(schema, { title })

export const inUnit = <Schema extends TSchema>(unit: Unit, schema: Schema): Schema =>
  Object.assign(schema, { 'x-unit': unit })

export const readAs = <Schema extends TSchema>(format: TextFormat, schema: Schema): Schema =>
  Object.assign(schema, { 'x-text': format })

export const shows = <Schema extends TSchema>(kind: MediaKind, schema: Schema): Schema =>
  Object.assign(schema, { 'x-media': kind })

export const identifies = <Schema extends TSchema>(kind: MediaKind, schema: Schema): Schema =>
  Object.assign(schema, { 'x-media-id': kind })

export const live = <Schema extends TSchema>(kind: Annotations['x-live'], schema: Schema): Schema =>
  Object.assign(schema, { 'x-live': kind })

export const defaultTo = <Schema extends TSchema, Value>(whenAbsent: Value, schema: Schema) =>
  Object.assign(schema, { default: whenAbsent })

export const secret = <Schema extends TSchema>(schema: Schema) =>
  Object.assign(schema, { writeOnly: true } as const)
