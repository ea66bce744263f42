import type { Participant, Room, UploadedFile } from '@atrium/client'
import type { RoomMedia } from '../media/room-media.ts'

/** What the page can do in the room. Each promise resolves once the room has stored the action. */
export interface RoomDesk {
  serverNow(): number
  answer(componentId: string, value: unknown, responseTime: number): Promise<void>
  say(text: string, componentId: string): Promise<void>
  ready(): Promise<void>
  leave(): Promise<void>
  media: RoomMedia
  uploadFile(componentId: string, file: Blob, name: string): Promise<UploadedFile>
  /** Records an event for the researcher that is not an answer; kept on this device until it is stored. */
  note(type: string, componentId: string, data: Record<string, unknown>): void
}

/** An acknowledged answer changes the view of the room without an event: `onAnswered` reports it. */
export function createRoomDesk(
  participant: Participant,
  room: Room,
  media: RoomMedia,
  onAnswered: () => void,
): RoomDesk {
  return {
    media,
    uploadFile: participant.uploadFile,
    serverNow: room.serverNow,
    async answer(componentId, value, responseTime) {
      await room.submitResponse(componentId, value, { responseTime })
      onAnswered()
    },
    async say(text, componentId) {
      await room.sendMessage(text, componentId)
    },
    async ready() {
      await room.ready()
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
