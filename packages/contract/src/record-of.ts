import { type Static, type TObjectOptions, type TSchema, type TString, Type } from 'typebox'

/**
 * An object with any keys that fit. `Type.Record` is the same schema, but makes it with TypeBox's engine for types, which
 * participants would load for the sake of it.
 */
export const RecordOf = <Value extends TSchema>(
  key: TString & { pattern?: string },
  value: Value,
  options: TObjectOptions = {},
) =>
  Type.Unsafe<Record<string, Static<Value>>>({
    type: 'object',
    patternProperties: { [key.pattern ?? '^.*$']: value },
    ...options,
  })
