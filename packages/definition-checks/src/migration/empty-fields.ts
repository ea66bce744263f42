import { changeTexts, type ExperimentDefinition, inLanguage, isTextByLanguage } from '@atrium/contract'
import { hasInserts, parseTemplate, withoutEmptyReads } from '@atrium/expressions'
import { declaredNamesOf } from '../flow/definition-names.ts'
import { pointer } from '../flow/findings.ts'

/** An expression, or a text with expressions in it, and what computes and shows the same. */
interface Rewriting {
  path: string
  before: string
  after: string
  reasons: readonly string[]
}

/** F52: what reads fields that no response has, where it can be written without them. */
export function emptyFields(written: ExperimentDefinition): Rewriting[] {
  const declared = declaredNamesOf(inLanguage(written))
  const found: Rewriting[] = []
  const keep = (path: string, before: string, rewritten: Rewritten | undefined): void => {
    if (rewritten) found.push({ path, before, ...rewritten })
  }
  const rewrite = (text: string): Rewritten | undefined => {
    const without = withoutEmptyReads(text, declared)
    return without && { after: without.text, reasons: without.reads.map(({ message }) => message) }
  }
  for (const { path, text } of expressionsOf(written)) keep(path, text, rewrite(text))
  changeTexts(written, (text, { path, isInRoom, isDeclared }) => {
    if (isInRoom && isDeclared)
      for (const [at, one] of inEachLanguage(text, path)) keep(at, one, rewriteText(one, rewrite))
    return text
  })
  return found
}

interface Rewritten {
  after: string
  reasons: readonly string[]
}

const inEachLanguage = (text: unknown, path: string): [path: string, text: string][] => {
  if (typeof text === 'string') return [[path, text]]
  if (!isTextByLanguage(text)) return []
  return Object.entries(text).map(([language, one]) => [path + pointer(language), String(one)])
}

function rewriteText(
  text: string,
  rewrite: (expression: string) => Rewritten | undefined,
): Rewritten | undefined {
  const parsed = hasInserts(text) ? parseTemplate(text) : undefined
  if (!parsed?.ok) return undefined
  const reasons: string[] = []
  const parts = parsed.template.parts.map((part) => {
    if (typeof part === 'string') return part
    const rewritten = rewrite(part.expression.text)
    reasons.push(...(rewritten?.reasons ?? []))
    const format = part.written.slice(part.expression.text.length)
    return `{{${rewritten?.after ?? part.expression.text}${format}}}`
  })
  return reasons.length > 0 ? { after: parts.join(''), reasons } : undefined
}

/** The places of expressions that versions had before saving looked at fields. */
function expressionsOf({ states, variables = {} }: ExperimentDefinition): { path: string; text: string }[] {
  const inStates = states.flatMap(({ onEnter = {}, onEnd = {}, next = [], end }, at) => [
    ...Object.entries(onEnter).map(([name, text]) => placed(text, 'states', at, 'onEnter', name)),
    ...Object.entries(onEnd).map(([name, text]) => placed(text, 'states', at, 'onEnd', name)),
    ...next.map(({ when }, index) => placed(when, 'states', at, 'next', index, 'when')),
    ...(end?.on === 'condition' ? [placed(end.when, 'states', at, 'end', 'when')] : []),
  ])
  const computed = Object.entries(variables).map(([name, declared]) =>
    placed(computationOf(declared), 'variables', name, 'compute'),
  )
  return [...inStates, ...computed].flatMap(({ path, text }) =>
    typeof text === 'string' ? [{ path, text }] : [],
  )
}

const placed = (text: unknown, ...parts: (string | number)[]) => ({ path: pointer(...parts), text })

const computationOf = (declared: unknown): unknown =>
  typeof declared === 'object' && declared !== null && 'compute' in declared ? declared.compute : undefined
