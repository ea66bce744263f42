import type { Participant, Room } from '@atrium/client'

/** What a participant can do in the room, for the page. Each resolves once the room has stored it. */
export interface RoomDesk {
  serverNow(): number
  answer(componentId: string, value: unknown, responseTime: number): Promise<void>
  say(text: string, componentId: string): Promise<void>
  ready(): Promise<void>
  leave(): Promise<void>
  /** For the researcher, beside the answers; kept on this device until it is stored. */
  note(type: string, componentId: string, data: Record<string, unknown>): void
}

/** The room changes its view without an event when an own answer is acknowledged: `onAnswered` says so. */
export function createRoomDesk(participant: Participant, room: Room, onAnswered: () => void): RoomDesk {
  return {
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
      // A note that this device cannot keep must not stop the study; the SDK says so in its safety.
      participant.record(event).catch(() => undefined)
    },
  }
}
