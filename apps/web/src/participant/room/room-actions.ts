import type { Participant, Room, UploadedFile } from '@atrium/client'
import type { RoomMedia } from '../media/playing-media.ts'
import type { RoomFiles } from '../media/room-files.ts'
import type { Paradata } from '../paradata/start-paradata.ts'
import { type AnswerTimes, type AnswerTiming, createAnswerTimes } from './answer-times.ts'

/**
 * What the page can do in the room. Each promise resolves once the room has stored the action. A visit is the one that the
 * page shows: the room may have moved on, to a state whose parts are still being loaded.
 */
export interface RoomActions {
  serverNow(): number
  answer(visit: number, componentId: string, value: unknown, timing: AnswerTiming): Promise<void>
  /** Measures the answers of the visit; undefined where nobody answers. */
  timesIn(visit: number): AnswerTimes | undefined
  say(text: string, componentId: string): Promise<void>
  ready(visit: number): Promise<void>
  /** The pictures that an answer needs have not loaded. */
  cannotAnswer(visit: number, componentId: string): Promise<void>
  leave(): Promise<void>
  media: RoomMedia
  /** Uploaded pictures and sounds; undefined where the study shows none. */
  files(): RoomFiles | undefined
  uploadFile(componentId: string, file: Blob, name: string): Promise<UploadedFile>
  /** Records an event for the researcher that is not an answer; kept on this device until it is stored. */
  note(type: string, componentId: string, data: Record<string, unknown>): void
}

/** An acknowledged answer changes the view of the room without an event: `onAnswered` reports it. */
export function createRoomActions(
  participant: Participant,
  room: Room,
  media: RoomMedia,
  files: RoomActions['files'],
  onAnswered: () => void,
  paradata?: Paradata,
): RoomActions {
  const timesIn = timesByVisit(room, paradata)
  return {
    media,
    files,
    timesIn,
    uploadFile: participant.uploadFile,
    serverNow: room.serverNow,
    async answer(visit, componentId, value, timing) {
      await room.submitResponse(componentId, value, { ...timing, visit })
      onAnswered()
    },
    async say(text, componentId) {
      await room.sendMessage(text, componentId)
    },
    async ready(visit) {
      await room.ready({ visit })
    },
    async cannotAnswer(visit, componentId) {
      await room.cannotAnswer(componentId, { visit })
    },
    async leave() {
      await room.leave()
    },
    note(type, componentId, data) {
      const stateId = room.view?.state?.id
      const event = { type, componentId, data, ...(stateId !== undefined && { stateId }) }
      // If this device cannot keep it, the study continues; the SDK reports that through its `safety`.
      participant.record(event).catch(() => undefined)
    },
  }
}

/** Of one visit at a time. */
function timesByVisit(room: Room, paradata: Paradata | undefined): RoomActions['timesIn'] {
  let latest: { visit: number; times: AnswerTimes } | undefined
  return (visit) => {
    const { view } = room
    if (latest?.visit === visit || !view) return latest?.times
    const place = { participantId: view.self.participantId, roomId: view.roomId, visit }
    const clocks = {
      steadyNow: () => performance.now(),
      wallNow: () => Date.now(),
      serverNow: room.serverNow,
    }
    latest = { visit, times: createAnswerTimes({ ...clocks, place, meterIn: paradata?.meterIn }) }
    return latest.times
  }
}
