import type { Settings } from './component-type.ts'
import { audio, video } from './media.ts'
import { sparseRating } from './ratings.ts'

/** The values of `controlledBy` besides role ids. */
export const playedByServer = 'server'
const playedByParticipant = 'participant'

/**
 * At most this many media of one state play in step; the room checks each of them after every action. Two or three are
 * already more than anyone can watch.
 */
export const maxMediaInStep = 20

/** How a video or audio plays in step. */
export interface PlayingInStep {
  /** `server`, a role id, or null where the definition does not say: then by the server, for groups. */
  controlledBy: string | null
  /** Whether it starts without a command. */
  startsItself: boolean
  waitForAllMs: number
  /** Null when only the file says. */
  durationMs: number | null
}

/** Undefined if everyone plays it alone, or if it does not play anything. */
export function playingInStepOf(component: Settings): PlayingInStep | undefined {
  const played = [video, audio].find(({ type }) => type === component.type)?.read(component)
  if (!played || played.controls || played.controlledBy === playedByParticipant) return undefined
  return {
    controlledBy: played.controlledBy ?? null,
    startsItself: played.autoplay,
    waitForAllMs: played.waitForAllMs,
    durationMs: played.durationMs ?? null,
  }
}

/** The positions at which a medium stops until a rating is given, and the medium, if it is named. */
export function stopsOf(component: Settings): { mediaId: string | undefined; atMs: number[] } | undefined {
  const rating = component.type === sparseRating.type ? sparseRating.read(component) : undefined
  return rating?.pause && rating.atMs ? { mediaId: rating.mediaId, atMs: rating.atMs } : undefined
}

/**
 * The position that a response rates, if the medium stops there. The response already matches its schema. Any other
 * position is of no use to the room, and there may be very many.
 */
export function stopRated(component: Settings, value: unknown): number | undefined {
  const stops = stopsOf(component)
  if (!stops || typeof value !== 'object' || value === null || !('atMs' in value)) return undefined
  return stops.atMs.find((atMs) => atMs === value.atMs)
}
