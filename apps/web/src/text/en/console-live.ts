import type { LiveWord } from '@atrium/contract'
import { format } from './console-format.ts'

const room = (position: number | null) =>
  position === null ? 'New room' : `Room ${format.number(position + 1)}`

export const live = {
  title: 'Now',
  pushed: 'Live',
  polled: 'Updated every few seconds',
  funnel: 'From arrival to completion',
  joined: 'Joined',
  consented: 'Agreed to take part',
  placed: 'Got a room',
  completed: 'Completed',
  nowHere: (active: number, waiting: number | null) =>
    waiting === null
      ? `Right now: ${format.number(active)} taking part.`
      : `Right now: ${format.number(active)} taking part, ${format.number(waiting)} of them waiting for a group.`,
  nobody: 'Nobody has joined yet. People appear here as soon as they open your link.',
  waitingRoom: 'Waiting for a group',
  nobodyWaits: 'Nobody is waiting.',
  waitsSince: (duration: string) => `for ${duration}`,
  moreWait: (people: number) => `and ${format.number(people)} more`,
  rooms: 'Open rooms',
  noRooms: 'No room is open.',
  noneStuck: 'No room seems stuck.',
  noneInState: 'No room is in this state.',
  filter: 'Which open rooms',
  all: (rooms: number, hasMore: boolean) =>
    hasMore ? `Newest ${format.number(rooms)}` : `All ${format.number(rooms)}`,
  stuckRooms: (rooms: number) => `Stuck ${format.number(rooms)}`,
  state: 'State',
  anyState: 'Any state',
  noState: 'No such state',
  inState: (name: string, rooms: number) => `${name} (${format.number(rooms)})`,
  page: (number: number) => `Page ${format.number(number)}`,
  turnTo: { first: 'First page', previous: 'Previous page', next: 'Next page', last: 'Last page' },
  room,
  round: (round: number, of: number) => `round ${format.number(round)} of ${format.number(of)}`,
  resting: 'nobody is there',
  notBegun: 'nobody has entered it',
  ownPace: 'everyone at their own pace',
  since: (duration: string, usual: string | null) =>
    usual === null ? `for ${duration}` : `for ${duration}, usually ${usual}`,
  stuck: {
    away: 'Somebody has been away for more than a minute',
    long: 'Much longer here than usual',
  },
  more: (room: string) => `More for ${room}`,
  onlyWords: 'Show only its chat and answers',
  words: 'Chat and answers',
  wordsIn: (room: string) => `Chat and answers in ${room}`,
  allRooms: 'All rooms',
  noWords: 'Nothing yet. Messages and answers appear here as they come.',
  said: (position: number | null | undefined, alias: string | null) =>
    [position === undefined ? 'Ended room' : room(position), alias ?? 'Researcher'].join(' · '),
  spoken: (kind: LiveWord['kind'], component: string | null, text: string) =>
    kind === 'answer' ? `${component}: ${text}` : `“${text}”`,
  here: 'here',
  away: 'away',
  gone: 'gone',
  seat: (alias: string, presence: string, state: string | null) =>
    state === null ? `${alias}: ${presence}` : `${alias}: ${presence}, ${state}`,
}
