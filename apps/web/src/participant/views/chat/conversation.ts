import type { MessageView } from '@atrium/contract'
import { texts } from '../../../text/participant.ts'

export interface Line {
  id: string
  side: 'own' | 'other' | 'researcher'
  /** Undefined if the line before is by the same person and already carries the name. */
  name: string | undefined
  text: string
  at: number
}

/** The lines of one chat. Messages of the researchers to the room belong to no chat and appear in each. */
export function conversation(
  messages: readonly MessageView[],
  { chatId, ownAlias }: { chatId: string; ownAlias: string },
): Line[] {
  const { you, researchers } = texts().views.chat
  const here = messages.filter(({ componentId }) => componentId === chatId || componentId === null)
  return here.map(({ messageId, from, text, at }, index) => {
    const side = from === 'researcher' ? 'researcher' : from === ownAlias ? 'own' : 'other'
    const name = { own: you, other: from, researcher: researchers }[side]
    return { id: messageId, side, name: here[index - 1]?.from === from ? undefined : name, text, at }
  })
}
