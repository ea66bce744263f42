import type { ComponentView, MessageView, RoomSnapshot } from '@atrium/contract'
import type { ComponentType as ReactComponent } from 'react'
import type { RoomMedia } from '../media/playing-media.ts'

/** What every component can know about its room. Times are the server’s. */
export interface Scene {
  roomId: string
  participantId: string
  /** What the others call this participant. */
  alias: string
  role: string
  /** Empty in rooms that are too large to list them. */
  others: RoomSnapshot['others']
  otherCount: number
  stateId: string
  /** Tells two visits to the same state apart. */
  visit: number
  enteredAt: number
  deadlineAt: number | null
  /** The room's variables, overridden by the participant's own. */
  variables: Readonly<Record<string, unknown>>
  progress: { done: number; of: number }
  messages: readonly MessageView[]
  /** The room is paused or this participant has finished: nothing can be changed. */
  isStill: boolean
  /** When the room began to show a component, in server time; what it said about the component before does not count. */
  shownSince(componentId: string): number
  media: RoomMedia
  serverNow(): number
  /** Stores a file for a component; the answer then names it. Rejects if refused. */
  uploadFile(componentId: string, file: Blob, name: string): Promise<{ fileId: string; size: number }>
  sendMessage(text: string, componentId: string): Promise<void>
  /** Records an event for the researcher that is not an answer, e.g. the order in which options were shown. */
  note(type: string, componentId: string, data: Record<string, unknown>): void
}

/** How to continue without an answer that cannot be given. */
export interface WayOnWithout {
  isTaken: boolean
  take(): void
}

/** The props of every view, whatever its component type. */
export interface ViewProps {
  /** `id`, `type` and the settings of the type as the contract describes them, without secrets. */
  component: ComponentView
  scene: Scene
  /** Entered but not sent; undefined while there is no answer. The page keeps it across a reload. */
  draft: unknown
  /** For questions that are sent with the page’s button. `undefined` clears the answer. */
  onDraft(value: unknown): void
  /** Sends immediately, for everything that is not a form: consent, checks, media, ratings. Rejects if refused. */
  send(value: unknown): Promise<void>
  /** The latest response of this visit that the room has stored; undefined if there is none. */
  recorded: unknown
  /** The server’s verdict on it, e.g. of a comprehension check. */
  result: Readonly<Record<string, unknown>> | undefined
  /** The answer is final or being sent, or the room is paused: shown, but read-only. */
  isLocked: boolean
  /** R67: where pictures that an answer needs have not loaded; absent where none is required. */
  wayOn?: WayOnWithout | undefined
  /** Why the answer cannot be sent as it is; shown at the question after the first attempt. */
  problem: string | undefined
}

export type View = ReactComponent<ViewProps> & {
  /** What an answer should be like, for a draft that does not fit; undefined when there is nothing special to say. */
  howToFix?(component: ComponentView, draft: unknown): string | undefined
  /** Fetches its code, where it is not part of the page; undefined once it is there. */
  load?(): Promise<unknown> | undefined
}
