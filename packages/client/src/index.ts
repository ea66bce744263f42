export type { UnloadTarget } from './browser-events.ts'
export type { Clock } from './clock.ts'
export type { Completion, CompletionRequest } from './complete.ts'
export {
  ApiRefused,
  EventIdTaken,
  NoAnswer,
  NotJoined,
  NotSafe,
  RoomClosed,
  RoomRefused,
  Stopped,
} from './errors.ts'
export type { Fetch } from './http.ts'
export { createParticipant } from './participant.ts'
export type { JoinOptions, Participant, ParticipantOptions } from './participant-api.ts'
export type { EventToRecord } from './participation.ts'
export { createIndexedDbQueue } from './queue/indexed-db-queue.ts'
export { createMemoryQueue } from './queue/memory-queue.ts'
export type {
  Quarantined,
  Queue,
  QueueCounts,
  QueuedEvent,
  QueueStore,
  SenderRight,
} from './queue/queue-store.ts'
export { applyRoomEvent } from './room/apply-room-event.ts'
export { connectRoom, type Room, type RoomOptions } from './room/connect-room.ts'
export type { RoomStatus } from './room/room-status.ts'
export type { Safety } from './safety.ts'
export type { GetIdToken, Session } from './session.ts'
export type { ParticipantStatus } from './status.ts'
