import { inThisPane } from '../pane.ts'

const unsentKey = (roomId: string, componentId: string) =>
  inThisPane(`atrium.unsent/${roomId}/${componentId}`)

/** A message that is being typed outlasts the state, as the chat may. */
export function saveUnsent(roomId: string, componentId: string, text: string): void {
  try {
    if (text === '') sessionStorage.removeItem(unsentKey(roomId, componentId))
    else sessionStorage.setItem(unsentKey(roomId, componentId), text)
  } catch {
    // Storage is full or forbidden: a reload loses what was typed.
  }
}

export function loadUnsent(roomId: string, componentId: string): string {
  try {
    return sessionStorage.getItem(unsentKey(roomId, componentId)) ?? ''
  } catch {
    return ''
  }
}
