import type { RoomSnapshot } from '@atrium/contract'

/** What the console sends to the page that shows it as the participant saw it. */
export interface ReplayedScene {
  kind: 'atrium-replay'
  /** The number of the moment: going back shows the page anew. */
  number: number
  view: RoomSnapshot
  study: { name: string; language: string; accent: string | null; logo: string | null }
}

/** The page can receive scenes. */
export const readyForReplay = { kind: 'atrium-replay-ready' } as const

export const replayAddress = '/preview?replay'

export const isOfKind = (data: unknown, kind: string): boolean =>
  typeof data === 'object' && data !== null && 'kind' in data && data.kind === kind
