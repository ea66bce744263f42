import type { ExportedEvent } from '@atrium/contract'

type Line = Pick<ExportedEvent, 'type' | 'participantId' | 'visit' | 'serverTime'>

export interface TakenTurn {
  /** When the room applied it; server time. */
  at: number
  /** Since it was due. */
  latencyMs: number
}

/**
 * The turns in a room's own record, so that nothing has to watch while the room is played. A turn is due `thinkMs` after
 * its agent has entered the state.
 */
export function takenTurns(lines: readonly Line[], thinkMs: number): TakenTurn[] {
  const enteredAt = new Map<string, number>()
  for (const line of lines)
    if (line.type === 'state_transition') enteredAt.set(visitOf(line), Date.parse(line.serverTime))
  return lines.flatMap((line) => {
    if (line.type !== 'agent_turn') return []
    const entered = enteredAt.get(visitOf(line))
    if (entered === undefined) throw new Error('an agent took a turn in a state that it never entered')
    const at = Date.parse(line.serverTime)
    return [{ at, latencyMs: at - entered - thinkMs }]
  })
}

const visitOf = ({ participantId, visit }: Line): string => `${participantId} ${visit}`
