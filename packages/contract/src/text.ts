import { Type } from 'typebox'
import { RecordOf } from './record-of.ts'

/**
 * A name or identifier of up to `longest` characters. Control characters and lone surrogates are refused:
 * PostgreSQL cannot store the first and would silently change the second.
 */
export const Name = (longest: number, description: string, more: { examples?: string[] } = {}) =>
  Type.String({ pattern: `^[^\\p{Cc}\\p{Cs}]{1,${longest}}$`, description, ...more })

/** Text for people to read: may be empty and may contain line breaks. */
export const Prose = (longest: number, description: string) =>
  Type.String({ pattern: `^[^\\u0000\\p{Cs}]{0,${longest}}$`, description })

export const FreeObject = (description: string) => RecordOf(Type.String(), Type.Unknown(), { description })

export const IsoTime = (description: string) => Type.String({ format: 'date-time', description })

/** The latest time a date can represent; both a bigint column and a double store it exactly. */
const latestMs = 8_640_000_000_000_000

export const EpochMs = (description: string) => Type.Integer({ minimum: 0, maximum: latestMs, description })

/** A duration, with the same upper limit as a time. */
export const DurationMs = (description: string) => Type.Number({ minimum: 0, maximum: latestMs, description })

export const Count = (description: string) => Type.Integer({ minimum: 0, description })

/** Size of a value as JSON. The caller must have checked the nesting depth. */
export const jsonBytesOf = (value: unknown): number =>
  new TextEncoder().encode(JSON.stringify(value) ?? '').length
