import type { MessageView } from '@atrium/contract'
import { texts } from '../../../text/participant.ts'
import type { CalledName } from '../../room/names.ts'

export interface Line {
  id: string
  side: 'own' | 'other' | 'researcher'
  /** Undefined if the line before is by the same person and already carries the name. */
  name: string | undefined
  /** R43: written by an agent, where agents are disclosed. */
  isAgent: boolean
  text: string
  at: number
}

interface Readers {
  chatId: string
  ownAlias: string
  /** By alias; mediators are in no seat, and their messages carry their own name. */
  names: ReadonlyMap<string, CalledName>
}

/** The lines of one chat. Messages of the researchers to the room belong to no chat and appear in each. */
export function conversation(messages: readonly MessageView[], { chatId, ownAlias, names }: Readers): Line[] {
  const { you, researchers } = texts().views.chat
  const here = messages.filter(({ componentId }) => componentId === chatId || componentId === null)
  return here.map(({ messageId, from, text, at, agent: isAgent = false }, index) => {
    const side = from === 'researcher' ? 'researcher' : from === ownAlias ? 'own' : 'other'
    const called = names.get(from)?.name ?? from
    const name = { own: you, other: called, researcher: researchers }[side]
    const isSame = here[index - 1]?.from === from
    return { id: messageId, side, name: isSame ? undefined : name, isAgent, text, at }
  })
}
