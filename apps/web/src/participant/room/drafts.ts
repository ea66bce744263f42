import type { Drafts } from './answering.ts'
import { typedKey } from './typed.ts'

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

export function saveDrafts(at: DraftPlace, drafts: Drafts): void {
  try {
    sessionStorage.setItem(key(at), JSON.stringify({ place: placeOf(at), drafts }))
  } catch {
    // Storage is full or forbidden: a reload loses what was typed, but the study continues.
  }
}

export function loadDrafts(at: DraftPlace): Drafts {
  try {
    const kept: { place?: string; drafts?: Drafts } = JSON.parse(sessionStorage.getItem(key(at)) ?? '{}')
    return kept.place === placeOf(at) ? (kept.drafts ?? {}) : {}
  } catch {
    return {}
  }
}
