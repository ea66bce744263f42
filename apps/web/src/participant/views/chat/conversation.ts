import type { MessageView } from '@atrium/contract'
import { texts } from '../../../text/participant.ts'

export interface Line {
  id: string
  side: 'own' | 'other' | 'researcher'
  /** Undefined when the line before is by the same person: the name stands there already. */
  name: string | undefined
  text: string
  at: number
}

/** What is said in one chat. What the researchers say to the room belongs to no chat and is shown in each. */
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
