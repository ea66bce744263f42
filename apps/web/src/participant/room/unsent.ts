import { typedKey } from './typed.ts'

interface Chat {
  participantId: string
  roomId: string
  componentId: string
}

const unsentKey = ({ participantId, roomId, componentId }: Chat) =>
  `${typedKey(participantId)}${roomId}/${componentId}`

/** A message that is being typed outlasts the state, as the chat may. */
export function saveUnsent(chat: Chat, text: string): void {
  try {
    if (text === '') sessionStorage.removeItem(unsentKey(chat))
    else sessionStorage.setItem(unsentKey(chat), text)
  } catch {
    // Storage is full or forbidden: a reload loses what was typed.
  }
}

export function loadUnsent(chat: Chat): string {
  try {
    return sessionStorage.getItem(unsentKey(chat)) ?? ''
  } catch {
    return ''
  }
}
