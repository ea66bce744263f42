import type { SyncActionName } from '@atrium/contract'
import { type Playback, positionAt } from '../model/playback.ts'
import type { RoomAction } from '../model/room-action.ts'
import { component, group, type PlayOptions, playRoom, state } from './played-room.ts'

/** The limit of every video here. */
export const waitMs = 4_000
export const videoMs = 60_000

export const video = (settings: object = {}) =>
  component('film', 'video', { src: '/film.mp4', durationMs: videoMs, waitForAllMs: waitMs, ...settings })

/** A state that shows a video until its button is pressed. */
export const screening = (settings: object = {}, ...more: ReturnType<typeof component>[]) =>
  state('watch', { components: [video(settings), ...more] })

export const watching = (states = [screening(), state('after')], more: object = {}) => group(states, more)

/** A played room with players. */
export function playVideo(given: Parameters<typeof playRoom>[0] = watching(), options: PlayOptions = {}) {
  const room = playRoom(given, options)
  const act = (type: SyncActionName, participantId: string, more: object) =>
    room.dispatch({ type, participantId, componentId: 'film', ...more } as RoomAction)
  const playback = (componentId = 'film'): Playback | undefined =>
    room.room().playback?.find((one) => one.componentId === componentId)
  return {
    ...room,
    playback,
    status: (): string | undefined => playback()?.status,
    /** Where the video is, after the given time. */
    position: (afterMs = 0): number => {
      const now = playback()
      return now ? positionAt(now, room.now() + afterMs) : Number.NaN
    },
    ready: (participantId: string, more: object = {}) =>
      act('playback_buffer', participantId, { status: 'ready', ...more }),
    stall: (participantId: string, more: object = {}) =>
      act('playback_buffer', participantId, { status: 'stalled', ...more }),
    command: (participantId: string, command: string, more: object = {}) =>
      act('playback_command', participantId, { command, ...more }),
    report: (participantId: string, more: object = {}) =>
      act('sync_report', participantId, { driftMs: 12, rttMs: 30, ...more }),
    press: (participantId: string) => room.ready(participantId),
    pause: () => room.dispatch({ type: 'pause', reason: '', by: 'researcher' }),
    resume: () => room.dispatch({ type: 'resume', by: 'researcher' }),
    restore: () => room.dispatch({ type: 'restored' }),
    /** The states that this participant was told about, oldest first. */
    told: (participantId: string) =>
      room.played.flatMap((push) => (push.participantIds.includes(participantId) ? [push.state] : [])),
  }
}

/** Everyone ready, and the video has just begun to move. */
export function startVideo(given?: Parameters<typeof playRoom>[0], options: PlayOptions = {}) {
  const room = playVideo(given, options)
  for (const { participantId } of room.room().seats) room.ready(participantId)
  room.pass(300)
  return room
}
