import type { Component } from '@atrium/contract'
import { type FoundValue, type Judgement, judgedEntries, withLiveValues } from '@atrium/contract/components'
import { type Expression, type Insert, isOfStudy, type Value } from '@atrium/expressions'
import type { TemplateOf } from './placed-inserts.ts'

/** How the values and conditions in settings are found: on a page, or for a decision. */
export interface SettingValues {
  templateOf: TemplateOf
  expressionOf(text: string): Expression
  value(expression: Expression): Value
  /** As its format says. */
  written(insert: Insert): string
  judge(when: Expression): Judgement
}

/** F58: the component with its settings from values, and with the options and rows that are shown. */
export function settledSettings<Given extends Component>(component: Given, values: SettingValues): Given {
  const live = withLiveValues(component, ({ kind, text }) =>
    kind === 'expression' ? foundValue(values.expressionOf(text), values) : filled(text, values),
  )
  return judgedEntries(live, (when) => typeof when !== 'string' || values.judge(values.expressionOf(when)))
}

const foundValue = (expression: Expression, { value }: SettingValues): FoundValue => ({
  value: value(expression),
  isOfStudy: isOfStudy(expression.root),
})

/** Where the text itself says where an address leads, values cannot change that. */
const fixedPlace = /^(?:https?:\/\/[^/?#{]+[/?#]|media:|\/[^/\\{])/i

/** Unlike what people read, without the separators of their language: `4000.png`, not `4,000.png`. */
function filled(text: string, values: SettingValues): FoundValue {
  const { parts } = values.templateOf(text) ?? { parts: [text] }
  const inserts = parts.filter((part) => typeof part !== 'string')
  return {
    value: parts.map((part) => (typeof part === 'string' ? part : textOf(part, values))).join(''),
    isOfStudy: fixedPlace.test(text) || inserts.every(({ expression }) => isOfStudy(expression.root)),
  }
}

function textOf(insert: Insert, { value, written }: SettingValues): string {
  if (insert.format.kind !== 'usual') return written(insert)
  const found = value(insert.expression)
  return typeof found === 'object' ? '' : String(found)
}
