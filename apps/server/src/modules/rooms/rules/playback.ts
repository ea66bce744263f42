import { spend } from '@atrium/expressions'
import { type MediumInStep, mediaInStep, seesNow, sharedFlow } from '../model/media.ts'
import { stopAfter } from '../model/medium.ts'
import { isHeardDifference, type Playback, positionAt, publicState, reachedAt } from '../model/playback.ts'
import { isStillIn } from '../model/room-audience.ts'
import { entryOf, isActive, isOpen, type RoomState, type Seat } from '../model/room-state.ts'
import { record, type Turn, visitOf } from '../model/turn.ts'

/**
 * Whatever changes playback takes effect this much later, so that everyone has been told by then. Longer than the round
 * trip of nearly everyone (4G: 60 ms), short enough for a button to feel alive.
 */
export const leadMs = 300

/** Brings what plays in step up to date with everything else that has happened. Called after every action. */
export function settlePlayback(turn: Turn, before: RoomState): void {
  const { room } = turn
  const media = mediaInStep(room, turn.blueprint)
  if (media.length === 0) {
    // Looked at first, because deleting takes longer than all of the above, and most rooms have no video.
    if (room.playback) delete room.playback
    return
  }
  room.playback = media.map((medium) => {
    const settled = settle(turn, medium, playbackOf(turn, medium))
    const former = before.playback?.find(({ componentId }) => componentId === medium.id)
    if (isHeardDifference(former, settled)) announce(turn, medium, settled)
    return settled
  })
}

/** How the medium plays, which begins anew with each visit. */
export function playbackOf(turn: Turn, { id, isGlobal, ...medium }: MediumInStep): Playback {
  const visit = isGlobal ? null : (sharedFlow(turn.room)?.visit ?? null)
  const known = turn.room.playback?.find((one) => one.componentId === id && one.visit === visit)
  return (
    known ?? {
      componentId: id,
      visit,
      status: 'preparing',
      positionMs: 0,
      atServerTime: turn.now,
      rate: 1,
      intent: medium.startsItself ? 'play' : 'pause',
      ready: [],
      stalled: [],
      waitUntil: null,
      heldAtMs: null,
      passedMs: -1,
      endsAtMs: medium.durationMs,
      hasEnded: false,
      dueAt: null,
      stalls: {},
      reportedAt: {},
      commandedAt: null,
    }
  )
}

export function replacePlayback({ room }: Turn, playback: Playback): void {
  const others = (room.playback ?? []).filter(({ componentId }) => componentId !== playback.componentId)
  room.playback = [...others, playback]
}

/** The clock stood still while the room was paused. */
export function movePlaybackLimits({ room }: Turn, pausedMs: number): void {
  if (!room.playback) return
  room.playback = room.playback.map((one) => ({
    ...one,
    waitUntil: one.waitUntil === null ? null : one.waitUntil + pausedMs,
  }))
}

function settle(turn: Turn, medium: MediumInStep, given: Playback): Playback {
  let playback = reach(turn, medium, forgetAbsent(turn, medium, given))
  playback = endForAll(turn, medium, playback)
  if (turn.room.status.kind === 'paused')
    return isHalted(playback) ? playback : moveTo(turn, playback, 'paused')
  playback = playback.status === 'preparing' ? begin(turn, medium, playback) : release(turn, medium, playback)
  if (playback.status === 'preparing' || playback.status === 'ended') return withDeadline(medium, playback)
  const target = targetOf(playback)
  if (target !== playback.status) playback = moveTo(turn, playback, target)
  return withDeadline(medium, reach(turn, medium, playback))
}

/** Not moving, and not about to. */
const isHalted = ({ status }: Playback): boolean =>
  status === 'preparing' || status === 'paused' || status === 'ended'

function targetOf({ intent, heldAtMs, stalled }: Playback): 'paused' | 'waiting' | 'playing' {
  if (intent === 'pause') return 'paused'
  return heldAtMs !== null || stalled.length > 0 ? 'waiting' : 'playing'
}

/** When a change that is decided now takes effect. */
export const effectiveAt = ({ now }: Turn, { atServerTime }: Playback): number =>
  Math.max(now + leadMs, atServerTime)

function moveTo(turn: Turn, playback: Playback, status: Playback['status']): Playback {
  const atServerTime = effectiveAt(turn, playback)
  return { ...playback, status, atServerTime, positionMs: positionAt(playback, atServerTime) }
}

const isPresent = (seat: Seat): boolean => isActive(seat) && seat.presence.kind === 'connected'

/** As for states: policy `continue` waits for nobody who is away. Agents do not watch. */
const isAwaited = ({ blueprint }: Turn, seat: Seat): boolean =>
  !seat.agent && (isPresent(seat) || (isActive(seat) && blueprint.dropout.policy !== 'continue'))

const viewersOf = ({ room, blueprint }: Turn, { component }: MediumInStep): Seat[] =>
  room.seats.filter((seat) => seesNow(room, blueprint, seat, component))

/** A participant who is away could have lost what they had buffered; they say so again when they are back. */
function forgetAbsent(turn: Turn, medium: MediumInStep, playback: Playback): Playback {
  const { ready, stalled } = playback
  if (ready.length + stalled.length === 0) return playback
  const present = new Set(
    viewersOf(turn, medium).flatMap((seat) => (isPresent(seat) ? [seat.participantId] : [])),
  )
  const isThere = (id: string): boolean => present.has(id)
  if (ready.every(isThere) && stalled.every(isThere)) return playback
  return { ...playback, ready: ready.filter(isThere), stalled: stalled.filter(isThere) }
}

/** Starts once everyone is ready, or at the limit, which counts from the first who is. */
function begin(turn: Turn, medium: MediumInStep, playback: Playback): Playback {
  const viewers = viewersOf(turn, medium)
  const ready = new Set(playback.ready)
  const waitUntil = playback.waitUntil ?? (ready.size > 0 ? turn.now + medium.waitForAllMs : null)
  const awaited = viewers.filter((seat) => isAwaited(turn, seat))
  const isComplete = ready.size > 0 && awaited.every(({ participantId }) => ready.has(participantId))
  const isOverdue = waitUntil !== null && waitUntil <= turn.now
  if (!isComplete && !isOverdue) return { ...playback, waitUntil }
  // Nobody is there to see it start. The limit counts again from the next who is ready.
  if (!viewers.some(isPresent)) return { ...playback, waitUntil: null }
  return { ...moveTo(turn, playback, 'paused'), waitUntil: null }
}

/** Lets go of what no longer holds it up: ratings that have been given, and stalls that are over or take too long. */
function release(turn: Turn, medium: MediumInStep, playback: Playback): Playback {
  const { heldAtMs, stalled } = playback
  const isHeld = heldAtMs !== null && isRatingMissing(turn, medium, heldAtMs)
  const isWaiting = playback.intent === 'play' && stalled.length > 0
  const waitUntil = isWaiting ? (playback.waitUntil ?? turn.now + medium.waitForAllMs) : null
  const isOverdue = waitUntil !== null && waitUntil <= turn.now
  return {
    ...playback,
    heldAtMs: isHeld ? heldAtMs : null,
    stalled: isOverdue ? [] : stalled,
    waitUntil: isOverdue ? null : waitUntil,
  }
}

function isRatingMissing(turn: Turn, { stops }: MediumInStep, atMs: number): boolean {
  const { room, blueprint } = turn
  const ratings = stopAfter(stops, atMs - 1)?.ratings ?? []
  return room.seats.some(
    (seat) =>
      isAwaited(turn, seat) &&
      ratings.some(
        (rating) =>
          seesNow(room, blueprint, seat, rating) &&
          !entryOf(seat.here.rated ?? {}, rating.component.id)?.includes(atMs),
      ),
  )
}

/** Where it has got to by itself: a stop, which is announced in time, or its end. */
export function reach(turn: Turn, medium: MediumInStep, given: Playback): Playback {
  if (given.status !== 'playing') return given
  const { endsAtMs } = given
  const { seats } = turn.room
  let playback = given
  // Nobody is there to rate anything, and a video may have very many stops.
  if (!seats.some((seat) => isAwaited(turn, seat)))
    playback = { ...given, passedMs: Math.max(given.passedMs, positionAt(given, turn.now + leadMs)) }
  for (;;) {
    const stop = nextStop(medium, playback)
    if (!stop || reachedAt(playback, stop.atMs) - leadMs > turn.now) break
    if (!spend(turn.work, 1 + seats.length / 8)) break
    playback = { ...playback, passedMs: stop.atMs }
    if (!isRatingMissing(turn, medium, stop.atMs)) continue
    const atServerTime = reachedAt(playback, stop.atMs)
    return { ...playback, status: 'waiting', positionMs: stop.atMs, atServerTime, heldAtMs: stop.atMs }
  }
  if (endsAtMs === null || reachedAt(playback, endsAtMs) > turn.now) return playback
  return ended(playback, reachedAt(playback, endsAtMs), endsAtMs)
}

const nextStop = ({ stops }: MediumInStep, { passedMs, endsAtMs }: Playback) => {
  const stop = stopAfter(stops, passedMs)
  return stop && stop.atMs <= (endsAtMs ?? stop.atMs) ? stop : undefined
}

const ended = (playback: Playback, atServerTime: number, positionMs: number): Playback => ({
  ...playback,
  status: 'ended',
  intent: 'pause',
  positionMs,
  atServerTime,
  // Bots and players that failed say that it has ended without playing it.
  endsAtMs: playback.endsAtMs ?? (positionMs > 0 ? positionMs : null),
  hasEnded: true,
  stalled: [],
  waitUntil: null,
  heldAtMs: null,
})

/** The players know where the file ends. Once all of them have said so, it has ended, whatever the definition says. */
function endForAll(turn: Turn, medium: MediumInStep, playback: Playback): Playback {
  if (playback.hasEnded || playback.status === 'ended') return playback
  const awaited = viewersOf(turn, medium).filter((seat) => isAwaited(turn, seat))
  if (awaited.length === 0 || awaited.some((seat) => !entryOf(seat.here.answers, medium.id))) return playback
  const at = Math.max(turn.now, playback.atServerTime)
  return ended(playback, at, positionAt(playback, at))
}

function withDeadline(medium: MediumInStep, playback: Playback): Playback {
  const { status, waitUntil, endsAtMs } = playback
  const due = waitUntil === null ? [] : [waitUntil]
  if (status === 'playing') {
    const stop = nextStop(medium, playback)
    if (stop) due.push(reachedAt(playback, stop.atMs) - leadMs)
    if (endsAtMs !== null) due.push(reachedAt(playback, endsAtMs))
  }
  return { ...playback, dueAt: due.length === 0 ? null : Math.min(...due) }
}

/** Tells everyone who sees it, and adds it to their records. */
function announce(turn: Turn, medium: MediumInStep, playback: Playback): void {
  const viewers = viewersOf(turn, medium)
  const state = publicState(playback)
  const participantIds = viewers.filter(isStillIn).map(({ participantId }) => participantId)
  if (participantIds.length > 0) turn.played.push({ participantIds, state })
  const { componentId, ...data } = state
  for (const seat of viewers.filter(isOpen))
    record(turn, seat, 'playback', { stateId: visitOf(turn, seat).stateId, componentId, data })
}
