import { escapeMarkdown, oneLine } from '@atrium/contract'
import { evaluate, type Scope } from '../expressions/evaluate.ts'
import type { Work } from '../expressions/work.ts'
import type { Template } from './template.ts'
import type { ValueFormats } from './value-format.ts'

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
      return isMarkdown ? escapeMarkdown(written) : oneLine(written)
    })
    .join('')
}
