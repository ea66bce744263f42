import type { ComponentView, MessageView, RoomSnapshot } from '@atrium/contract'
import type { ComponentType as ReactComponent } from 'react'

/** What every component may know about its room. Times are by the server’s clock. */
export interface Scene {
  roomId: string
  participantId: string
  /** How the others see this participant. */
  alias: string
  others: RoomSnapshot['others']
  stateId: string
  /** Tells two visits of one state apart. */
  visit: number
  enteredAt: number
  deadlineAt: number | null
  /** The room's variables and the participant's own, which win. */
  variables: Readonly<Record<string, unknown>>
  progress: { done: number; of: number }
  messages: readonly MessageView[]
  /** The room is paused, or this participant has finished: nothing can be done. */
  isStill: boolean
  serverNow(): number
  sendMessage(text: string, componentId: string): Promise<void>
  /** Records something other than an answer for the researcher, e.g. the order in which options were shown. */
  note(type: string, componentId: string, data: Record<string, unknown>): void
}

/** The props of every view, whatever its type; a view takes what it needs. */
export interface ViewProps {
  /** `id`, `type` and the settings of the type as the catalogue describes them, without secrets. */
  component: ComponentView
  scene: Scene
  /** Entered but not sent; undefined while there is no answer yet. It survives a reload. */
  draft: unknown
  /** For questions that are sent with the page’s button. Undefined clears the answer. */
  onDraft(value: unknown): void
  /** Sends immediately, for everything but forms: consent, checks, media, ratings. Rejects with the refusal. */
  send(value: unknown): Promise<void>
  /** The newest response of this visit that the room has stored; undefined when there is none. */
  recorded: unknown
  /** The server's result, e.g. of a comprehension check. */
  result: Readonly<Record<string, unknown>> | undefined
  /** The answer is final or on its way, or the room is paused: shown, but read-only. */
  isLocked: boolean
  /** Why the answer cannot be sent as it is; shown beside the question after an attempt to send it. */
  problem: string | undefined
}

export type View = ReactComponent<ViewProps> & {
  /** What an answer should be like, for a draft that does not fit; undefined when there is nothing special to say. */
  howToFix?(component: ComponentView): string | undefined
}
