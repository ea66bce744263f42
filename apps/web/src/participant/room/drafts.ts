import { inThisPane } from '../pane.ts'
import type { Drafts } from './answering.ts'

/**
 * Keeps drafts across a reload of this tab, for one visit to one state at a time: drafts of an earlier state are no
 * longer needed.
 */
const key = () => inThisPane('atrium.drafts')

const visitKey = (roomId: string, visit: number) => `${roomId}/${visit}`

export function saveDrafts(roomId: string, visit: number, drafts: Drafts): void {
  try {
    sessionStorage.setItem(key(), JSON.stringify({ place: visitKey(roomId, visit), drafts }))
  } catch {
    // Storage is full or forbidden: a reload loses what was typed, but the study continues.
  }
}

export function loadDrafts(roomId: string, visit: number): Drafts {
  try {
    const kept: { place?: string; drafts?: Drafts } = JSON.parse(sessionStorage.getItem(key()) ?? '{}')
    return kept.place === visitKey(roomId, visit) ? (kept.drafts ?? {}) : {}
  } catch {
    return {}
  }
}
