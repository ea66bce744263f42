import type { LiveWord } from '@atrium/contract'
import type { RoomAction } from '../model/room-action.ts'
import { shortened } from '../replay/moment.ts'
import type { LoggedAction } from '../rooms.store.ts'

/** What somebody said or answered with an action of a room’s log; an agent may do several things in one turn. */
export function wordsIn(
  { roomId, seq, at, action: text }: LoggedAction & { roomId: string },
  aliases: ReadonlyMap<string, string>,
): LiveWord[] {
  const action = JSON.parse(text) as RoomAction
  const said = (who: string | null, spoken: Spoken): LiveWord => ({
    roomId,
    number: seq,
    at,
    alias: who === null ? null : (aliases.get(who) ?? null),
    ...spoken,
  })
  switch (action.type) {
    case 'send_message':
    case 'submit_response':
      return [said(action.participantId, spokenBy(action))]
    case 'agent_turn':
      return action.moves.flatMap((move) =>
        move.type === 'ready' ? [] : [said(action.participantId, spokenBy(move))],
      )
    case 'announce':
      return [said(null, { kind: 'announcement', componentId: null, text: shortened(action.text) })]
    default:
      return []
  }
}

type Spoken = Pick<LiveWord, 'kind' | 'componentId' | 'text'>

type Move =
  | { type: 'send_message'; componentId?: string | undefined; text: string }
  | { type: 'submit_response'; componentId: string; value?: unknown }

const spokenBy = (move: Move): Spoken =>
  move.type === 'send_message'
    ? { kind: 'message', componentId: move.componentId ?? null, text: shortened(move.text) }
    : {
        kind: 'answer',
        componentId: move.componentId,
        text: shortened(JSON.stringify(move.value) ?? ''),
      }
