import { LRUCache } from 'lru-cache'
import type { AgentUse } from '../../rooms/index.ts'
import { addUses, noUse } from './call-use.ts'

interface Whose {
  roomId: string
  participantId: string
}

/** Far more agents than an instance has. */
const maxAgents = 20_000

export interface UnappliedUsage {
  of(whose: Whose): AgentUse
  add(whose: Whose, use: AgentUse): void
  /** The room knows of this much now. More may have been added in the meantime. */
  settle(whose: Whose, use: AgentUse): void
}

/**
 * What calls have used that led to no action of the room, by agent. Only actions change a room, so the next turn of the
 * agent takes it along. An instance that takes the room over begins at zero.
 */
export function createUnappliedUsage(): UnappliedUsage {
  const uses = new LRUCache<string, AgentUse>({ max: maxAgents })
  const keyOf = ({ roomId, participantId }: Whose): string => `${roomId} ${participantId}`
  const of = (whose: Whose): AgentUse => uses.get(keyOf(whose)) ?? noUse
  return {
    of,
    add: (whose, use) => void uses.set(keyOf(whose), addUses(of(whose), use)),
    settle(whose, { calls, tokens, money }) {
      const left = addUses(of(whose), { calls: -calls, tokens: -tokens, money: -money })
      if (left.calls > 0) uses.set(keyOf(whose), left)
      else uses.delete(keyOf(whose))
    },
  }
}
