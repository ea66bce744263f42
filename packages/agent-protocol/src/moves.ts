import type { ComponentView } from '@atrium/contract'
import type { TSchema } from 'typebox'

/** What an agent may do now. Computed by the room from the same rules that check what it does. */
export interface AgentMoves {
  /** Components that it can still answer. */
  answers: readonly AnswerMove[]
  /** The state ends with a button, which it may press now, with all that is required answered in the same move. */
  canContinue: boolean
  /** It may watch and be asked again later. */
  canWait: boolean
  /** Chats that it may write in now. */
  chats: readonly ChatMove[]
}

export interface AnswerMove {
  component: ComponentView
  /** Of its responses. */
  schema: TSchema
  isRequired: boolean
}

interface ChatMove {
  componentId: string
  maxLength: number
}

/** R34: a valid reply of an agent. */
export interface AgentReply {
  reasoning?: string
  action:
    | { name: 'answer'; answers: Readonly<Record<string, unknown>> }
    | { name: 'continue' }
    | { name: 'wait' }
  message?: { chat: string; text: string }
}
