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

export const EpochMs = (description: string) =>
  Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000, description })

export const Count = (description: string) => Type.Integer({ minimum: 0, description })
