import type { Drafts } from './answering.ts'

/**
 * What is entered and not sent, over a reload of this tab. One visit of one state at a time: the drafts of a state
 * that is over are nobody’s any more.
 */
const key = 'atrium.drafts'

const place = (roomId: string, visit: number) => `${roomId}/${visit}`

export function keepDrafts(roomId: string, visit: number, drafts: Drafts): void {
  try {
    sessionStorage.setItem(key, JSON.stringify({ place: place(roomId, visit), drafts }))
  } catch {
    // Full or forbidden: a reload costs what was typed, the study goes on.
  }
}

export function keptDrafts(roomId: string, visit: number): Drafts {
  try {
    const kept: { place?: string; drafts?: Drafts } = JSON.parse(sessionStorage.getItem(key) ?? '{}')
    return kept.place === place(roomId, visit) ? (kept.drafts ?? {}) : {}
  } catch {
    return {}
  }
}
