import { escapeMarkdown, oneLine } from '@atrium/contract'
import { evaluate, type Scope } from '../evaluate.ts'
import { isSpent, spend, type Work } from '../work.ts'
import type { Insert, Template } from './template.ts'
import type { ValueFormats } from './value-format.ts'
import { cutMark, type ValueWriter } from './write-value.ts'

/** Around what somebody wrote in letters of the other direction, so that it does not scatter over the line. */
const isolate = { begin: '\u2068', end: '\u2069' }

const escapedPerStep = 8

/** How values are written in one language, and what that may still cost. */
export interface Writing {
  work: Work
  formats: ValueFormats
  values: ValueWriter
}

/** One value as it stands in a text. In Markdown it is text, never markup: a participant may have written it. */
export function writeInsert(
  { expression, format }: Insert,
  scope: Scope,
  { work, formats, values }: Writing,
  isMarkdown: boolean,
): string {
  const written = values.write(evaluate(expression, scope, work), format)
  spend(work, written.length / escapedPerStep)
  // Whatever was evaluated last may have lacked something.
  if (isSpent(work)) return cutMark
  const text = isMarkdown ? escapeMarkdown(written) : oneLine(written)
  return formats.runsOtherwise(text) ? `${isolate.begin}${text}${isolate.end}` : text
}

/** The text with its values. */
export const fillTemplate = ({ parts }: Template, write: (insert: Insert) => string): string =>
  parts.map((part) => (typeof part === 'string' ? part : write(part))).join('')
