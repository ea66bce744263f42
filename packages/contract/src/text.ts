import { Type } from 'typebox'

/**
 * A name or identifier of up to `longest` characters. Control characters and lone surrogates are refused:
 * PostgreSQL cannot store the first and would silently change the second.
 */
export const Name = (longest: number, description: string) =>
  Type.String({ pattern: `^[^\\p{Cc}\\p{Cs}]{1,${longest}}$`, description })

/** The same, but it may be empty or hold line breaks (texts that people read). */
export const Prose = (longest: number, description: string) =>
  Type.String({ pattern: `^[^\\u0000\\p{Cs}]{0,${longest}}$`, description })

export const FreeObject = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description })

export const IsoTime = (description: string) => Type.String({ format: 'date-time', description })

/** The latest moment that a date can stand for; a bigint column and a double hold it exactly. */
const latestMs = 8_640_000_000_000_000

export const EpochMs = (description: string) => Type.Integer({ minimum: 0, maximum: latestMs, description })

/** How long something took. As far as a time reaches, a duration may reach. */
export const DurationMs = (description: string) => Type.Number({ minimum: 0, maximum: latestMs, description })

export const Count = (description: string) => Type.Integer({ minimum: 0, description })

/** How large a value is as JSON. It must not be nested too deep to be written. */
export const jsonBytesOf = (value: unknown): number =>
  new TextEncoder().encode(JSON.stringify(value) ?? '').length
