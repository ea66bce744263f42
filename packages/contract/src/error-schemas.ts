import { Type } from 'typebox'
import type { ErrorCode } from './errors.ts'
import { FreeObject } from './text.ts'

const ErrorDetails = FreeObject('Details specific to the code; always an object')

export const ValidationIssue = Type.Object({
  path: Type.String({ description: 'JSON pointer into the request body; empty for the whole body' }),
  message: Type.String(),
})

const ErrorCodeSchema = (codes: readonly ErrorCode[]) => Type.Enum(codes)

/** R8: the error body of the participant API, v3 and v4. */
export const ParticipantError = (codes: readonly ErrorCode[]) =>
  Type.Object({
    status: Type.Literal('error'),
    error: Type.Object({ code: ErrorCodeSchema(codes), message: Type.String(), details: ErrorDetails }),
  })

/** R8: the error body of every other JSON endpoint. */
export const PlainError = (codes: readonly ErrorCode[]) =>
  Type.Object({ error: Type.String(), code: ErrorCodeSchema(codes), details: ErrorDetails })
