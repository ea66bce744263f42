import type { ParticipantRecord } from '../model/turn.ts'
import type { RoomAppend } from '../rooms.store.ts'

/** A line of a participant's own record, in the form in which all their events are stored. */
export const toRecord = (record: ParticipantRecord): RoomAppend['records'][number] => ({
  participantId: record.participantId,
  isRoomWide: record.isRoomWide ?? false,
  event: {
    eventId: null,
    type: record.type,
    stateId: record.stateId,
    componentId: record.componentId,
    timestamp: record.timestamp,
    data: JSON.stringify(record.data),
    flags: '',
    extra: null,
    round: record.round,
    visit: record.visit,
  },
})
