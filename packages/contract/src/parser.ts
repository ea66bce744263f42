import type { Static, TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import type { ValidationIssue } from './errors.ts'
import { limits } from './limits.ts'
import { findUnstorable } from './storable.ts'
import { issuesOf } from './value-issues.ts'

export interface Parser<Value> {
  /** Returns the value, typed, if it fits, or else the issues. */
  parse(value: unknown): { ok: true; value: Value } | { ok: false; issues: ValidationIssue[] }
}

/**
 * A parser for input from outside. It checks the depth first: everything after that, including the schema's own check
 * and JSON.stringify, may then recurse without overflowing the stack. The schema is compiled when something is first
 * parsed: those of all routes take a server 0.25 s of CPU, and most starts use few of them.
 */
export function parserFor<Schema extends TSchema>(
  schema: Schema,
  { explainAnySize = false }: { explainAnySize?: boolean } = {},
): Parser<Static<Schema>> {
  let kept: Validator | undefined
  const compile = (): Validator => {
    kept ??= Compile(schema)
    return kept
  }
  return {
    parse(value) {
      const unstorable = findUnstorable(value, limits.jsonDepth)
      if (unstorable) return { ok: false, issues: [unstorable] }
      const compiled = compile()
      return compiled.Check(value)
        ? { ok: true, value: value as Static<Schema> }
        : { ok: false, issues: issuesOf(compiled, value, '', explainAnySize) }
    },
  }
}
