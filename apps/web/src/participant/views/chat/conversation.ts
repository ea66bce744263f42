import type { MessageView } from '@atrium/contract'

export interface Line {
  id: string
  side: 'own' | 'other' | 'researcher'
  /** Undefined when the previous line is by the same person. */
  name: string | undefined
  text: string
  at: number
}

/** The messages of one chat. Researchers’ messages to the room belong to no chat and are shown in every one. */
export function conversation(
  messages: readonly MessageView[],
  { chatId, ownAlias }: { chatId: string; ownAlias: string },
): Line[] {
  const here = messages.filter(({ componentId }) => componentId === chatId || componentId === null)
  return here.map(({ messageId, from, text, at }, index) => {
    const side = from === 'researcher' ? 'researcher' : from === ownAlias ? 'own' : 'other'
    const name = { own: 'You', other: from, researcher: 'The researchers' }[side]
    return { id: messageId, side, name: here[index - 1]?.from === from ? undefined : name, text, at }
  })
}
