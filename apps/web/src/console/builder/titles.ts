import { componentTypeOf } from '@atrium/contract/components'
import { texts } from '../../text/console.ts'
import { isObject, pathOf, textIn, valueAt } from './core/document.ts'
import type { Selection } from './sections.ts'

/** The text in whichever language comes first. */
export function anyText(value: unknown): string | undefined {
  const text = isObject(value) ? Object.values(value)[0] : value
  return typeof text === 'string' && text.trim() !== '' ? text : undefined
}

export const titleOfState = (state: unknown, at: number): string =>
  (isObject(state) ? (anyText(state.name) ?? textIn(state.id)) : undefined) ||
  texts().builder.states.unnamed(at + 1)

export const titleOfStage = (stage: unknown, at: number): string =>
  (isObject(stage) ? textIn(stage.id) : undefined) || texts().builder.stages.numbered(at + 1)

export function titleOfComponent(component: unknown): { title: string; note: string } {
  if (!isObject(component)) return { title: texts().builder.components.unknown, note: '' }
  const type = textIn(component.type) ?? ''
  const { title } = componentTypeOf(type)
  const text = anyText(component.label) ?? anyText(component.text) ?? textIn(component.id) ?? ''
  return { title: title === 'Unknown type' ? type || texts().builder.components.unknown : title, note: text }
}

export function titleOfSelection(document: unknown, selection: Selection): string {
  if (selection.kind === 'section') return texts().builder.sections[selection.id].title
  const stageAt = (at: number) => titleOfStage(valueAt(document, ['stages', at]), at)
  if (selection.kind === 'stage') return stageAt(selection.at)
  const place = pathOf(document, selection.at)
  const title = titleOfState(valueAt(document, place), Number(place.at(-1)))
  return place[0] === 'stages' ? `${stageAt(Number(place[1]))} › ${title}` : title
}
