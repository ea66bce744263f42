import { format } from './console-format.ts'

export const live = {
  title: 'Now',
  funnel: 'From arrival to completion',
  joined: 'Joined',
  waiting: 'Waiting now',
  active: 'Taking part now',
  completed: 'Completed',
  waitingRoom: 'Waiting for a group',
  waitsSince: (duration: string) => `for ${duration}`,
  rooms: 'Open rooms',
  more: 'Only the newest 50 are shown here; the list below has all of them.',
  room: (position: number | null) => (position === null ? 'New room' : `Room ${format.number(position + 1)}`),
  round: (round: number, of: number) => `round ${format.number(round)} of ${format.number(of)}`,
  resting: 'nobody is there',
  notBegun: 'nobody has entered it',
  ownPace: 'everyone at their own pace',
  since: (duration: string) => `in this state for ${duration}`,
  stuck: {
    away: 'Somebody has been away for more than a minute',
    long: 'No progress for more than ten minutes',
  },
  here: 'here',
  away: 'away',
  gone: 'gone',
  seat: (alias: string, presence: string) => `${alias}: ${presence}`,
}
