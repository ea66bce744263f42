import { assertNever, type SyncActionName } from '@atrium/contract'
import { playedByServer } from '@atrium/contract/components'
import { type MediumInStep, mediaInStep, seesNow } from '../model/media.ts'
import { type Playback, positionAt } from '../model/playback.ts'
import type { ActionRules, RoomAction } from '../model/room-action.ts'
import { entryOf, type Seat } from '../model/room-state.ts'
import { Refusal, record, type Turn, visitOf } from '../model/turn.ts'
import { byParticipant } from './participation.ts'
import { effectiveAt, playbackOf, reach, replacePlayback } from './playback.ts'

/** What a participant may do on `/sync`. What follows from it is settled after the action, with everything else. */
export const syncRules: ActionRules<SyncActionName> = {
  playback_command: byParticipant(command),
  // A player goes on loading while the room is paused, and is ready when it continues.
  playback_buffer: byParticipant(noteBuffer, { isAllowedWhilePaused: true }),
  sync_report: byParticipant(keepReport),
}

/** Every change is recorded for everyone who sees the medium, so one participant must not make them at will. */
const minCommandGapMs = 200
/** A connection that stalls more often than this is too slow for the video; the others go on without it. */
const maxStalls = 20
/** A little less than a second, because reports that are sent every second do not arrive every second. */
const minReportGapMs = 900

function mediumFor(turn: Turn, seat: Seat, componentId: string): MediumInStep {
  const { room, blueprint } = turn
  const medium = mediaInStep(room, blueprint).find(
    ({ id, component }) => id === componentId && seesNow(room, blueprint, seat, component),
  )
  if (!medium)
    throw new Refusal('ACTION_REFUSED', `There is no video or audio ‘${componentId}’ that plays in step now.`)
  return medium
}

function refuseUnlessInControl({ controlledBy }: MediumInStep, { role }: Seat): void {
  const controller = controlledBy ?? playedByServer
  if (controller === role) return
  throw new Refusal(
    'ACTION_REFUSED',
    controller === playedByServer
      ? 'Participants do not control this video or audio.'
      : `Only participants with the role ‘${controller}’ control this video or audio.`,
  )
}

function command(turn: Turn, seat: Seat, action: RoomAction<'playback_command'>): void {
  const medium = mediumFor(turn, seat, action.componentId)
  refuseUnlessInControl(medium, seat)
  const playback = reach(turn, medium, playbackOf(turn, medium))
  const { commandedAt } = playback
  if (commandedAt !== null && turn.now - commandedAt < minCommandGapMs)
    throw new Refusal('RATE_LIMITED', 'Commands follow each other too quickly; try again in a moment.')
  const { command, positionMs, rate } = action
  if (command === 'seek' && positionMs === undefined)
    throw new Refusal('VALIDATION_FAILED', 'To seek, give the position in positionMs.')
  record(turn, seat, 'playback_command', {
    stateId: visitOf(turn, seat).stateId,
    componentId: medium.id,
    data: {
      command,
      ...(positionMs === undefined ? {} : { positionMs }),
      ...(rate === undefined ? {} : { rate }),
      ...idOf(action),
    },
  })
  replacePlayback(turn, { ...commanded(turn, playback, action), commandedAt: turn.now })
}

/** Where the command puts it. Whether it then plays is settled with everything that may hold it up. */
function commanded(turn: Turn, playback: Playback, action: RoomAction<'playback_command'>): Playback {
  const intent = action.command === 'seek' ? playback.intent : action.command
  const rate = action.rate ?? playback.rate
  const isRestart = action.command === 'play' && playback.status === 'ended'
  const jumpMs = action.positionMs ?? (isRestart ? 0 : undefined)
  if (intent === playback.intent && rate === playback.rate && jumpMs === undefined) return playback
  const atServerTime = effectiveAt(turn, playback)
  const placed: Playback = {
    ...playback,
    status: playback.status === 'preparing' ? 'preparing' : 'paused',
    positionMs: positionAt(playback, atServerTime),
    atServerTime,
    intent,
    rate,
  }
  if (jumpMs === undefined) return placed
  const there = Math.min(jumpMs, playback.endsAtMs ?? jumpMs)
  // A stop at this very position is still ahead.
  return { ...placed, positionMs: there, passedMs: Math.ceil(there) - 1, heldAtMs: null }
}

function noteBuffer(turn: Turn, seat: Seat, action: RoomAction<'playback_buffer'>): void {
  const medium = mediumFor(turn, seat, action.componentId)
  const playback = reach(turn, medium, playbackOf(turn, medium))
  const { participantId } = seat
  const wasReady = playback.ready.includes(participantId)
  const without = (ids: readonly string[]): string[] => ids.filter((id) => id !== participantId)
  // Somebody who has not been ready since the room went on without them does not stop it again.
  if (wasReady === (action.status === 'ready')) return
  record(turn, seat, 'playback_buffer', {
    stateId: visitOf(turn, seat).stateId,
    componentId: medium.id,
    data: { status: action.status, ...idOf(action) },
  })
  switch (action.status) {
    case 'ready':
      replacePlayback(turn, {
        ...playback,
        ready: [...playback.ready, participantId],
        stalled: without(playback.stalled),
      })
      return
    case 'stalled': {
      const stalls = entryOf(playback.stalls, participantId) ?? 0
      const isWaitedFor = hasStarted(playback) && medium.waitForAllMs > 0 && stalls < maxStalls
      replacePlayback(turn, {
        ...playback,
        ready: without(playback.ready),
        ...(isWaitedFor && {
          stalled: [...playback.stalled, participantId],
          stalls: { ...playback.stalls, [participantId]: stalls + 1 },
        }),
      })
      return
    }
    default:
      assertNever(action.status)
  }
}

const hasStarted = ({ status }: Playback): boolean => status !== 'preparing' && status !== 'ended'

function keepReport(turn: Turn, seat: Seat, action: RoomAction<'sync_report'>): void {
  const medium = mediumFor(turn, seat, action.componentId)
  const playback = playbackOf(turn, medium)
  const { participantId } = seat
  const last = entryOf(playback.reportedAt, participantId)
  if (last !== undefined && turn.now - last < minReportGapMs)
    throw new Refusal('RATE_LIMITED', 'One report per second is kept; this one came too soon.')
  const { driftMs, rttMs } = action
  record(turn, seat, 'sync_report', {
    stateId: visitOf(turn, seat).stateId,
    componentId: medium.id,
    data: { driftMs, rttMs, positionMs: positionAt(playback, turn.now), ...idOf(action) },
  })
  replacePlayback(turn, {
    ...playback,
    reportedAt: { ...playback.reportedAt, [participantId]: turn.now },
  })
}

const idOf = ({ actionId }: { actionId?: string }): { actionId?: string } =>
  actionId === undefined ? {} : { actionId }
