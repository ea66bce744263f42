import { escapeMarkdown, oneLine } from '@atrium/contract'
import { evaluate, type Scope } from '../expressions/evaluate.ts'
import type { Work } from '../expressions/work.ts'
import type { Template } from './template.ts'
import type { ValueFormats } from './value-format.ts'

/** Around what somebody wrote in letters of the other direction, so that it does not scatter over the line. */
const isolate = { begin: '\u2068', end: '\u2069' }

/** The text with its values. In Markdown they are text, never markup: a participant may have written them. */
export function fillTemplate(
  { parts }: Template,
  scope: Scope,
  work: Work,
  { formats, isMarkdown }: { formats: ValueFormats; isMarkdown: boolean },
): string {
  return parts
    .map((part) => {
      if (typeof part === 'string') return part
      const written = formats.write(evaluate(part.expression, scope, work), part.format)
      const text = isMarkdown ? escapeMarkdown(written) : oneLine(written)
      return formats.runsOtherwise(text) ? `${isolate.begin}${text}${isolate.end}` : text
    })
    .join('')
}
