import { type ComponentView, changeComponentTexts, type State, type TextPlace } from '@atrium/contract'
import { hasInserts, type Insert, parseTemplate, type Template } from '@atrium/expressions'
import { LRUCache } from 'lru-cache'

/** A value in a text of a component or state. */
export interface PlacedInsert {
  insert: Insert
  isMarkdown: boolean
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
export function insertsOfState({ name, instructions, end }: State, templateOf: TemplateOf): PlacedInsert[] {
  return distinct([
    ...insertsIn(name, 'plain', templateOf),
    ...insertsIn(instructions, 'markdown', templateOf),
    ...insertsIn(end?.on === 'button' ? end.label : undefined, 'plain', templateOf),
  ])
}

/** The values in the texts of a component, each once. */
export function insertsOfComponent(view: ComponentView, templateOf: TemplateOf): PlacedInsert[] {
  const found: PlacedInsert[] = []
  changeComponentTexts(view, (text, { format }) => {
    if (typeof text === 'string') found.push(...insertsIn(text, format, templateOf))
    return text
  })
  return distinct(found)
}

function insertsIn(
  text: string | undefined,
  format: TextPlace['format'],
  templateOf: TemplateOf,
): PlacedInsert[] {
  const template = text === undefined || format === 'html' ? null : templateOf(text)
  const isMarkdown = format === 'markdown'
  return (template?.parts ?? []).flatMap((insert) =>
    typeof insert === 'string' ? [] : [{ insert, isMarkdown }],
  )
}

function distinct(inserts: readonly PlacedInsert[]): PlacedInsert[] {
  const byText = new Map(inserts.map((one) => [`${one.isMarkdown} ${one.insert.written}`, one]))
  return [...byText.values()]
}
