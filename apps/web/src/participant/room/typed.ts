import { tryStorage } from '../journey/remembered.ts'

/**
 * What somebody has typed and not sent is kept in this tab under their own id: whoever takes part in the same browser after
 * them, or in another pane of a try, must not read it.
 */
export const typedKey = (participantId: string): string => `atrium.typed/${participantId}/`

/** Once they have finished, nobody needs it any more. */
export const forgetTyped = (participantId: string): void =>
  tryStorage(() => {
    for (const name of Object.keys(sessionStorage))
      if (name.startsWith(typedKey(participantId))) sessionStorage.removeItem(name)
  })

/** By component id; a question without an entry has not been answered. */
export type Drafts = Readonly<Record<string, unknown>>

/**
 * Keeps drafts across a reload of this tab, for one visit to one state at a time: drafts of an earlier state are no
 * longer needed.
 */
export interface DraftPlace {
  participantId: string
  roomId: string
  visit: number
}

const key = ({ participantId }: DraftPlace) => `${typedKey(participantId)}drafts`

const placeOf = ({ roomId, visit }: DraftPlace) => `${roomId}/${visit}`

/** Where nothing can be stored, a reload loses what was typed, but the study continues. */
export const saveDrafts = (at: DraftPlace, drafts: Drafts): void =>
  tryStorage(() => sessionStorage.setItem(key(at), JSON.stringify({ place: placeOf(at), drafts })))

export function loadDrafts(at: DraftPlace): Drafts {
  const kept: { place?: string; drafts?: Drafts } | undefined = tryStorage(() =>
    JSON.parse(sessionStorage.getItem(key(at)) ?? '{}'),
  )
  return kept?.place === placeOf(at) ? (kept.drafts ?? {}) : {}
}

interface Chat {
  participantId: string
  roomId: string
  componentId: string
}

const unsentKey = ({ participantId, roomId, componentId }: Chat) =>
  `${typedKey(participantId)}${roomId}/${componentId}`

/** A message that is being typed outlasts the state, as the chat may. */
export const saveUnsent = (chat: Chat, text: string): void =>
  tryStorage(() =>
    text === '' ? sessionStorage.removeItem(unsentKey(chat)) : sessionStorage.setItem(unsentKey(chat), text),
  )

export const loadUnsent = (chat: Chat): string =>
  tryStorage(() => sessionStorage.getItem(unsentKey(chat))) ?? ''
