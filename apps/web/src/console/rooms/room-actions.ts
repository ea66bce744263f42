import type { RoomReport, SeatReport } from '@atrium/contract'
import { texts } from '../../text/console.ts'

type Seat = Pick<SeatReport, 'participantId' | 'alias'>

export type RoomAction =
  | { kind: 'advance' }
  | { kind: 'pause' }
  | { kind: 'resume' }
  | { kind: 'end' }
  /** To one participant, or to everyone. */
  | { kind: 'announce'; seat?: Seat }
  | { kind: 'remove'; seat: Seat }

/** An action as its dialog asks for it. */
export interface ActionForm {
  title: string
  explanation: string
  confirmLabel: string
  done: string
  isDangerous: boolean
  field?: { label: string; description: string; isRequired: boolean; isLong: boolean; maxCharacters: number }
}

export function formOf(action: RoomAction): ActionForm {
  const { roomActions, seats } = texts()
  const { fields, announce, remove } = roomActions
  switch (action.kind) {
    case 'advance':
      return { ...roomActions.advance, isDangerous: true }
    case 'pause':
      return { ...roomActions.pause, isDangerous: false, field: reason(fields.pauseReason) }
    case 'resume':
      return { ...roomActions.resume, isDangerous: false }
    case 'end':
      return { ...roomActions.end, isDangerous: true, field: reason(fields.endReason) }
    case 'announce':
      return {
        ...announce,
        title: action.seat ? seats.messageTo(action.seat.alias) : announce.titleToAll,
        isDangerous: false,
        field: {
          label: fields.message,
          description: '',
          isRequired: true,
          isLong: true,
          maxCharacters: 4_000,
        },
      }
    case 'remove':
      return {
        ...remove,
        title: remove.title(action.seat.alias),
        done: remove.done(action.seat.alias),
        isDangerous: true,
        field: {
          label: fields.outcome,
          description: fields.outcomeHint,
          isRequired: false,
          isLong: false,
          maxCharacters: 200,
        },
      }
  }
}

const reason = (description: string) => ({
  label: texts().roomActions.fields.reason,
  description,
  isRequired: false,
  isLong: false,
  maxCharacters: 500,
})

/** The actions that a room allows in its status. */
export function actionsFor(status: RoomReport['status']): RoomAction[] {
  switch (status) {
    case 'running':
      return [{ kind: 'advance' }, { kind: 'pause' }, { kind: 'announce' }, { kind: 'end' }]
    case 'paused':
      return [{ kind: 'resume' }, { kind: 'announce' }, { kind: 'end' }]
    case 'ended':
      return []
  }
}

/** Whether somebody is still in the room, so that they can be written to or removed. */
export const isPresent = ({ status }: Pick<SeatReport, 'status'>): boolean =>
  status === 'active' || status === 'dropped'
