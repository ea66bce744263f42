import type { TSchema } from 'typebox'
import { Check } from 'typebox/schema'

/**
 * For browsers, in place of `checker.ts` (`imports` in package.json). The content security policy of our pages forbids code from text,
 * and every browser would report that TypeBox tries.
 */
export const checkerFor =
  (schema: TSchema) =>
  (value: unknown): boolean =>
    Check(schema, value)
