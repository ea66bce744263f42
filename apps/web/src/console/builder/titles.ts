import { componentTypeOf } from '@atrium/contract/components'
import { texts } from '../../text/console.ts'
import { isObject, textIn } from './core/document.ts'

/** The text in whichever language comes first. */
export function anyText(value: unknown): string | undefined {
  const text = isObject(value) ? Object.values(value)[0] : value
  return typeof text === 'string' && text.trim() !== '' ? text : undefined
}

export const titleOfState = (state: unknown, at: number): string =>
  (isObject(state) ? (anyText(state.name) ?? textIn(state.id)) : undefined) ||
  texts().builder.states.unnamed(at + 1)

export function titleOfComponent(component: unknown): { title: string; note: string } {
  if (!isObject(component)) return { title: texts().builder.components.unknown, note: '' }
  const type = textIn(component.type) ?? ''
  const { title } = componentTypeOf(type)
  const text = anyText(component.label) ?? anyText(component.text) ?? textIn(component.id) ?? ''
  return { title: title === 'Unknown type' ? type || texts().builder.components.unknown : title, note: text }
}
