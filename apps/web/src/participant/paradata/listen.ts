import type { ParadataKind } from '@atrium/contract'
import type { Meter } from './meter.ts'
import { charactersIn, isDeletion, isTextField, isTyping } from './typing.ts'

/** Counts what is written in a component, by the kinds that the study collects, until it is stopped. */
export function listenTo(
  component: HTMLElement,
  id: string,
  meter: Meter,
  kinds: readonly ParadataKind[],
): () => void {
  const stopping = new AbortController()
  function on<Name extends keyof HTMLElementEventMap>(
    name: Name,
    act: (event: HTMLElementEventMap[Name]) => void,
  ): void {
    const inTextField = (event: HTMLElementEventMap[Name]) => isTextField(event.target) && act(event)
    component.addEventListener(name, inTextField, { capture: true, signal: stopping.signal })
  }
  if (kinds.includes('typing')) {
    on('keydown', (event) => isTyping(event) && meter.pressed(id))
    on('input', (event) => event instanceof InputEvent && isDeletion(event.inputType) && meter.deleted(id))
  }
  if (kinds.includes('paste')) {
    on('paste', ({ clipboardData }) => count(clipboardData))
    on('drop', ({ dataTransfer }) => count(dataTransfer))
  }
  /** Nothing but the length is looked at; pictures and files do not get into a text field. */
  function count(content: DataTransfer | null): void {
    const characters = charactersIn(content?.getData('text/plain') ?? '')
    if (characters > 0) meter.pasted(id, characters)
  }
  return () => stopping.abort()
}
