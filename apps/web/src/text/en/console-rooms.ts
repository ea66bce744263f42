import type { RoomReport, SeatReport } from '@atrium/contract'
import { format, plurals } from './console-format.ts'

const people = { one: 'person', other: 'people' }
const agents = { one: 'agent', other: 'agents' }
const noUndo = 'This cannot be undone.'

export const rooms = {
  rooms: {
    list: 'List of rooms',
    filter: 'Which rooms',
    open: 'Open',
    all: 'All',
    noneOpen: 'No open rooms',
    noneOpenMessage: 'A room opens when someone joins or, in group studies, when a group is matched.',
    showAll: 'Show all rooms',
    none: 'No rooms yet',
    noneMessage: 'Nobody has taken part so far. Rooms appear here as soon as people join.',
    columns: {
      room: 'Room',
      status: 'Status',
      condition: 'Condition',
      people: 'People',
      created: 'Created',
      replay: 'What happened',
    },
    statuses: { running: 'running', paused: 'paused', ended: 'ended' } satisfies Record<
      RoomReport['status'],
      string
    >,
    resting: 'resting',
    people: (count: number) => plurals.count(count, people),
    active: (count: number) => `${format.number(count)} active`,
    agents: (count: number) => plurals.count(count, agents),
  },

  room: {
    title: 'Room',
    back: '← Rooms of the study',
    endedTitle: 'The room has ended',
    everyoneFinished: 'Everyone has finished.',
    viewOnly: 'You can view this room. Only people with edit access can control it.',
    controls: 'Control the room',
    seats: 'Seats',
    noSeats: 'Nobody has taken a seat yet.',
    state: 'State',
    statePerPerson: 'differs by person',
    since: (time: string) => `since ${time}`,
    deadline: 'Deadline',
    inDuration: (duration: string) => `in ${duration}`,
    atTime: (time: string) => `at ${time}`,
    clockStopped: 'the clock is stopped',
    noDeadline: 'no deadline',
    condition: 'Condition',
    position: (position: number) => `room ${format.number(position)} of the study`,
    events: 'Events of the room',
    skippedActions: (count: number) =>
      plurals.count(count, {
        one: 'action no longer applies and was skipped',
        other: 'actions no longer apply and were skipped',
      }),
    revision: (revision: number) => `revision ${format.number(revision)}`,
    showVariables: 'Show variables and seed',
    hideVariables: 'Hide variables and seed',
    seed: 'Seed:',
    variables: 'Variables of the room',
  },

  network: {
    title: 'Network',
    picture: (seats: number, edges: number) =>
      `A network of ${plurals.count(seats, { one: 'seat', other: 'seats' })} and ${plurals.count(edges, { one: 'edge', other: 'edges' })}`,
    list: 'The neighbours of each',
    seat: (number: number) => `P${number}`,
    nobody: 'no neighbours',
    empty: 'Nobody is anybody’s neighbour.',
    preview: (seats: number, edges: number) =>
      `${plurals.count(seats, { one: 'seat', other: 'seats' })}, ${plurals.count(edges, { one: 'edge', other: 'edges' })}. Where chance decides, each room has a network of its own.`,
    noGroup: 'A network needs groups: set the number of people per room.',
    tooLarge: (most: number) => `There is a preview for groups of up to ${format.number(most)}.`,
  },

  seats: {
    columns: {
      participant: 'Participant',
      role: 'Role',
      status: 'Status',
      presence: 'Presence',
      state: 'State',
      answered: 'Answered',
      actions: 'Actions',
    },
    statuses: {
      active: 'active',
      dropped: 'dropped',
      left: 'left',
      removed: 'removed',
      replaced: 'replaced',
      finished: 'finished',
      agent: 'agent',
    } satisfies Record<SeatReport['status'], string>,
    connected: 'connected',
    away: 'away',
    inState: (stateId: string, duration: string) => `${stateId}, for ${duration}`,
    ready: 'ready',
    answered: (answered: string) => `answered: ${answered}`,
    message: 'Message',
    messageTo: (alias: string) => `Message ${alias}`,
    remove: 'Remove',
    removeLabel: (alias: string) => `Remove ${alias}`,
  },

  roomActions: {
    failed: 'The action failed',
    labels: {
      advance: 'Advance',
      pause: 'Pause',
      resume: 'Resume',
      announce: 'Announce',
      end: 'End room',
      remove: 'Remove',
    },
    advance: {
      title: 'End the current state now?',
      explanation: `The room moves on to the next state with whatever has been answered. ${noUndo}`,
      confirmLabel: 'Advance',
      done: 'The room has moved on.',
    },
    pause: {
      title: 'Pause the room?',
      explanation:
        'The clock stops for everyone until you resume. Deadlines move by the length of the pause.',
      confirmLabel: 'Pause',
      done: 'The room is paused.',
    },
    resume: {
      title: 'Resume the room?',
      explanation: 'The clock runs again, and deadlines move by the length of the pause.',
      confirmLabel: 'Resume',
      done: 'The room has resumed.',
    },
    end: {
      title: 'End the room for everyone?',
      explanation: `People who are still in the room finish with the outcome TECHNICAL. ${noUndo}`,
      confirmLabel: 'End the room',
      done: 'The room has ended.',
    },
    announce: {
      titleToAll: 'Announce to everyone in the room',
      explanation: 'It appears as a message from the researchers.',
      confirmLabel: 'Send',
      done: 'The message has been sent.',
    },
    remove: {
      title: (alias: string) => `Remove ${alias} from the room?`,
      explanation: `They cannot come back to this room. ${noUndo}`,
      confirmLabel: 'Remove',
      done: (alias: string) => `${alias} has been removed.`,
    },
    fields: {
      reason: 'Reason',
      pauseReason: 'Shown to participants. Optional.',
      endReason: 'For the record. Optional.',
      message: 'Message',
      outcome: 'Outcome',
      outcomeHint: 'The outcome they finish with; TECHNICAL if empty.',
    },
  },
}
