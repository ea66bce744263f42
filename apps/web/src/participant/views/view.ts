import type { ComponentView, MessageView, RoomSnapshot } from '@atrium/contract'
import type { ComponentType as ReactComponent } from 'react'

/** What every component may know of the room it stands in. Times are the server’s. */
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
  /** Paused, or this participant has finished here: nothing can be done. */
  isStill: boolean
  serverNow(): number
  sendMessage(text: string, componentId: string): Promise<void>
  /** Notes something for the researcher that is no answer, e.g. the order in which options were shown. */
  note(type: string, componentId: string, data: Record<string, unknown>): void
}

/** A component on the page. The same for all types: a view takes from it what it needs. */
export interface ViewProps {
  /** `id`, `type` and the settings of the type as the catalogue describes them, without secrets. */
  component: ComponentView
  scene: Scene
  /** Entered but not sent; undefined while there is no answer yet. The page keeps it over a reload. */
  draft: unknown
  /** For questions that are sent together with the page’s button. Undefined takes the answer back. */
  onDraft(value: unknown): void
  /** Sends at once, for what is no form: consent, checks, media, ratings. Rejects with the refusal. */
  send(value: unknown): Promise<void>
  /** The newest response of this visit that the room has stored; undefined when there is none. */
  recorded: unknown
  /** What the server made of it, e.g. a comprehension check. */
  result: Readonly<Record<string, unknown>> | undefined
  /** The answer is final or on its way, or the room stands still: shown, but not changeable. */
  isLocked: boolean
  /** Why the answer cannot be sent as it is; shown beside the question once somebody tried. */
  problem: string | undefined
}

export type View = ReactComponent<ViewProps> & {
  /** What an answer should be like, for a draft that does not fit; undefined when there is nothing special to say. */
  howToFix?(component: ComponentView): string | undefined
}
