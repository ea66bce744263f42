import type { RoomReport, SeatReport } from '@atrium/contract'

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
  field?: { label: string; description: string; isRequired: boolean; isLong: boolean; mostCharacters: number }
}

export function formOf(action: RoomAction): ActionForm {
  switch (action.kind) {
    case 'advance':
      return {
        title: 'End the present state now?',
        explanation:
          'The room goes on to the next state, with whatever has been answered. This cannot be undone.',
        confirmLabel: 'Advance',
        done: 'The room went on.',
        isDangerous: true,
      }
    case 'pause':
      return {
        title: 'Pause the room?',
        explanation:
          'The clock stops for everyone until you resume; deadlines move by the length of the pause.',
        confirmLabel: 'Pause',
        done: 'The room is paused.',
        isDangerous: false,
        field: reason('What participants are told. Optional.'),
      }
    case 'resume':
      return {
        title: 'Resume the room?',
        explanation: 'The clock goes on, and deadlines move by the length of the pause.',
        confirmLabel: 'Resume',
        done: 'The room goes on.',
        isDangerous: false,
      }
    case 'end':
      return {
        title: 'End the room for everyone?',
        explanation: 'Whoever is still in is told to complete with TECHNICAL. This cannot be undone.',
        confirmLabel: 'End the room',
        done: 'The room has ended.',
        isDangerous: true,
        field: reason('For the record. Optional.'),
      }
    case 'announce':
      return {
        title: action.seat ? `Write to ${action.seat.alias}` : 'Announce to everyone in the room',
        explanation: 'It appears as a message from the researcher.',
        confirmLabel: 'Send',
        done: 'The message is sent.',
        isDangerous: false,
        field: { label: 'Message', description: '', isRequired: true, isLong: true, mostCharacters: 4_000 },
      }
    case 'remove':
      return {
        title: `Remove ${action.seat.alias} from the room?`,
        explanation: 'They cannot come back into this room. This cannot be undone.',
        confirmLabel: 'Remove',
        done: `${action.seat.alias} was removed.`,
        isDangerous: true,
        field: {
          label: 'Outcome',
          description: 'What they complete with; TECHNICAL when empty.',
          isRequired: false,
          isLong: false,
          mostCharacters: 200,
        },
      }
  }
}

const reason = (description: string) => ({
  label: 'Reason',
  description,
  isRequired: false,
  isLong: false,
  mostCharacters: 500,
})

/** What may be done to a room in its status. */
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

export const actionLabels: Record<RoomAction['kind'], string> = {
  advance: 'Advance',
  pause: 'Pause',
  resume: 'Resume',
  announce: 'Announce',
  end: 'End room',
  remove: 'Remove',
}

/** Who is still in the room and may be written to or removed. */
export const isPresent = ({ status }: Pick<SeatReport, 'status'>): boolean =>
  status === 'active' || status === 'dropped'
