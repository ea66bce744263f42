export type { UnloadTarget } from './browser-events.ts'
export type { Clock } from './clock.ts'
export type { Completion, CompletionRequest } from './complete.ts'
export {
  ApiRefused,
  ConsentRequired,
  EventIdTaken,
  NoAnswer,
  NotJoined,
  NotSafe,
  RoomClosed,
  RoomRefused,
  Stopped,
  UploadAborted,
  UploadFailed,
  WaitingClosed,
} from './errors.ts'
export { type RunningHash, type WholeFileOptions, wholeFile } from './exports/whole-file.ts'
export { asGuest, type GuestMemory, type GuestOptions } from './guest.ts'
export type { Fetch } from './http.ts'
export { createParticipant } from './participant.ts'
export type { JoinOptions, Participant, ParticipantOptions, UploadedFile } from './participant-api.ts'
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
export {
  type ActionOptions,
  connectRoom,
  type Room,
  type RoomOptions,
  type VisitOptions,
} from './room/connect-room.ts'
export type { Safety } from './safety.ts'
export type { GetIdToken, Session } from './session.ts'
export type { ConnectionStatus } from './socket/session-connection.ts'
export type { ParticipantStatus } from './status.ts'
export {
  connectSync,
  type PlaybackCommand,
  type Sync,
  type SyncOptions,
} from './sync/connect-sync.ts'
export { bufferedUntil, type MediaElementLike } from './sync/media-element.ts'
export { type InStepOptions, playInStep } from './sync/play-in-step.ts'
export type { Playback } from './sync/playback.ts'
export type { SyncedClock } from './sync/synced-clock.ts'
export { isMediaFile, mediaEndings } from './upload/media-types.ts'
export { type MediaFileLike, mediaBatches, uploadMedia } from './upload/upload-media.ts'
export type { BegunUpload, UploadMemory } from './upload/upload-memory.ts'
export { videoEndings, videoTypeOf } from './upload/upload-source.ts'
export { type Upload, type UploadOptions, type UploadProgress, uploadVideo } from './upload/upload-video.ts'
export { connectWaiting, type Waiting, type WaitingOptions } from './waiting/connect-waiting.ts'
export { type TakePartOptions, takePart } from './waiting/take-part.ts'
