import { AppError } from './app-error.ts'

/** What may be stored, in bytes. */
export interface Quota {
  /** For one participant, over all of their sessions. */
  participantBytes: number
  /** For all participants of an experiment together. */
  experimentBytes: number
}

/** What is stored. */
export interface Usage {
  participantBytes: number
  experimentBytes: number
}

export interface OverQuota {
  scope: 'participant' | 'experiment'
  usedBytes: number
  limitBytes: number
}

/** Undefined if this many more bytes fit. The participant's own quota is named first: that one they can do something about. */
export function overQuota(used: Usage, addedBytes: number, quota: Quota): OverQuota | undefined {
  for (const [scope, key] of [
    ['participant', 'participantBytes'],
    ['experiment', 'experimentBytes'],
  ] as const)
    if (used[key] + addedBytes > quota[key]) return { scope, usedBytes: used[key], limitBytes: quota[key] }
  return undefined
}

/**
 * What brings somebody to the end of a study (answers, `ready`, coming back) may take a quarter more: people whose page has
 * sent too much can still finish.
 */
export const withReserve = ({ participantBytes, experimentBytes }: Quota): Quota => ({
  participantBytes: Math.floor(participantBytes * 1.25),
  experimentBytes: Math.floor(experimentBytes * 1.25),
})

const sentences = {
  participant: 'This study cannot accept more data from you. You can still finish it.',
  experiment: 'This study cannot accept more data. You can still finish it.',
}

export const quotaExceeded = (over: OverQuota): AppError =>
  new AppError('QUOTA_EXCEEDED', { ...over }, sentences[over.scope])

/** About what a row takes besides its texts: numbers, and its entries in indexes. */
export const rowBytes = 200

/** Bytes, not characters: Chinese text takes three per character. */
export const bytesOf = (...texts: readonly (string | null)[]): number =>
  texts.reduce((sum, text) => sum + (text === null ? 0 : Buffer.byteLength(text)), rowBytes)

interface SizedEvent {
  eventId: string | null
  type: string
  stateId: string | null
  componentId: string | null
  data: string
  extra: string | null
}

export const bytesOfEvent = ({ eventId, type, stateId, componentId, data, extra }: SizedEvent): number =>
  bytesOf(eventId, type, stateId, componentId, data, extra)
