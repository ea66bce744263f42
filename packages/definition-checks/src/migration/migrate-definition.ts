import type { ExperimentDefinition, ValidationIssue } from '@atrium/contract'
import { checkOnSaving, oversizeIssues, parseForm } from '../check-on-saving.ts'
import { checkUnfilled } from '../flow/check-unfilled.ts'
import type { DefinitionChange } from './definition-change.ts'
import { emptyFields } from './empty-fields.ts'
import { removeAt, replaceAt, valueAt } from './places.ts'
import { uselessSettings } from './useless-settings.ts'

interface Migration {
  /** The given one, if nothing in it is to be changed. */
  definition: unknown
  /** Without any that is `undecided`, the definition can be saved. */
  changes: DefinitionChange[]
}

/**
 * F180: turns a definition that an earlier version saved into one that can be saved now. What participants see, and what is
 * computed, stays as it was; where that is impossible, nothing is written, and the change says what to decide.
 */
export function migrateDefinition(given: unknown): Migration {
  if ('definition' in checkOnSaving(given)) return { definition: given, changes: [] }
  const hasForm = oversizeIssues(given).length === 0 && hasStates(given)
  const definition = hasForm ? structuredClone(given) : given
  const written = hasForm ? withoutEffectless(definition as ExperimentDefinition) : []
  const checked = checkOnSaving(definition)
  const issues = 'issues' in checked ? checked.issues : []
  const braces = hasForm ? checkUnfilled(definition as ExperimentDefinition).errors : []
  const undecided = issues.map(
    (issue): DefinitionChange => ({
      path: issue.path,
      kind: 'undecided',
      before: valueAt(definition, issue.path),
      reason: issue.message,
      effect: effectOf(issue, braces),
    }),
  )
  return { definition: written.length > 0 ? definition : given, changes: [...written, ...undecided] }
}

/** Stages are newer than anything that is changed here. */
function hasStates(given: unknown): boolean {
  const parsed = parseForm(given)
  return parsed.ok && parsed.value.states !== undefined
}

/** Changes the definition. Settings go first: an expression in one of them did nothing either. */
function withoutEffectless(definition: ExperimentDefinition): DefinitionChange[] {
  const removed = uselessSettings(definition).flatMap(({ path, message }): DefinitionChange[] => {
    const before = valueAt(definition, path)
    return removeAt(definition, path)
      ? [{ path, kind: 'removed', before, reason: message, effect: neverRead }]
      : []
  })
  const rewritten = emptyFields(definition).map(({ path, before, after, reasons }): DefinitionChange => {
    replaceAt(definition, path, after)
    return { path, kind: 'rewritten', before, after, reason: reasons.join('; '), effect: alwaysEmpty }
  })
  return [...removed, ...rewritten]
}

const neverRead =
  'Our pages and agents have never read it, so participants see the same without it. If something was meant by it, write it under its present name.'
const alwaysEmpty =
  'It has always been empty, so the same is computed and shown. If something was meant by it, write what the response has.'
const asWritten =
  'Nothing was written: so far, the braces have been shown, told or recorded as they stand. Write the text without them, or move it to where values are filled in.'
const unknownEffect = 'Nothing was written: decide what it should be.'

const effectOf = ({ path, message }: ValidationIssue, braces: readonly ValidationIssue[]): string =>
  braces.some((one) => one.path === path && one.message === message) ? asWritten : unknownEffect
