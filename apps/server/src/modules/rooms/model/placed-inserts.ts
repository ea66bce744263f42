import {
  assertNever,
  type ComponentView,
  changeComponentTexts,
  type State,
  type TextPlace,
} from '@atrium/contract'
import type { LiveSetting } from '@atrium/contract/components'
import { type Expression, hasInserts, type Insert, parseTemplate, type Template } from '@atrium/expressions'
import { LRUCache } from 'lru-cache'
import { compileExpression } from './compiled-expression.ts'
import type { TextReads } from './text-reads.ts'

/** What a page shows of values: one in a text of a component or state, or whether something is shown at all. */
export type PlacedValue =
  | { kind: 'insert'; insert: Insert; isMarkdown: boolean }
  | { kind: 'condition'; when: Expression }
  | { kind: 'setting'; expression: Expression }
  /** R62: the members of the room that a component asks about. */
  | { kind: 'targets'; others: Expression }

/** The values on the page of a role in one state. */
export interface PlacedOnPage {
  showsValues: boolean
  /** Those that actions may change, and what they read together. */
  changing: readonly PlacedValue[]
  reads: TextReads
}

export function expressionOf(placed: PlacedValue): Expression {
  switch (placed.kind) {
    case 'insert':
      return placed.insert.expression
    case 'condition':
      return placed.when
    case 'setting':
      return placed.expression
    case 'targets':
      return placed.others
    default:
      return assertNever(placed)
  }
}

export type TemplateOf = (text: string) => Template | null

/** Parsed, a text takes a hundred times its size. */
const maxTemplateCharacters = 262_144

/** Texts that show values, parsed; null for any other. */
export function createTemplates(): TemplateOf {
  const templates = new LRUCache<string, { template: Template | null }>({
    maxSize: maxTemplateCharacters,
    sizeCalculation: (_, text) => text.length,
  })
  return (text) => {
    if (!hasInserts(text)) return null
    const known = templates.get(text)
    if (known !== undefined) return known.template
    // Stored before texts could show values, if it does not parse: then it is shown as it is.
    const parsed = parseTemplate(text)
    const template = parsed.ok ? parsed.template : null
    templates.set(text, { template })
    return template
  }
}

/** The values in the texts of a state itself, each once. */
export function insertsOfState({ name, instructions, end }: State, templateOf: TemplateOf): PlacedValue[] {
  return distinct([
    ...insertsIn(name, 'plain', templateOf),
    ...insertsIn(instructions, 'markdown', templateOf),
    ...insertsIn(end?.on === 'button' ? end.label : undefined, 'plain', templateOf),
  ])
}

/** The values in the texts of a component, each once. */
export function insertsOfComponent(view: ComponentView, templateOf: TemplateOf): PlacedValue[] {
  const found: PlacedValue[] = []
  changeComponentTexts(view, (text, { format }) => {
    if (typeof text === 'string') found.push(...insertsIn(text, format, templateOf))
    return text
  })
  return distinct(found)
}

/** The values that a setting is made of. */
export const valuesOfSetting = ({ kind, text }: LiveSetting, templateOf: TemplateOf): PlacedValue[] =>
  kind === 'expression'
    ? [{ kind: 'setting', expression: compileExpression(text) }]
    : insertsIn(text, 'plain', templateOf)

function insertsIn(
  text: string | undefined,
  format: TextPlace['format'],
  templateOf: TemplateOf,
): PlacedValue[] {
  const template = text === undefined || format === 'html' ? null : templateOf(text)
  const isMarkdown = format === 'markdown'
  return (template?.parts ?? []).flatMap((insert) =>
    typeof insert === 'string' ? [] : [{ kind: 'insert' as const, insert, isMarkdown }],
  )
}

export function distinct(values: readonly PlacedValue[]): PlacedValue[] {
  const byText = new Map(values.map((one) => [keyOf(one), one]))
  return [...byText.values()]
}

const keyOf = (placed: PlacedValue): string =>
  placed.kind === 'insert'
    ? `${placed.isMarkdown} ${placed.insert.written}`
    : `${placed.kind} ${expressionOf(placed).text}`
