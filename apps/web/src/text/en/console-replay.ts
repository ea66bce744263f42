import type { MomentKind } from '@atrium/contract'
import { format } from './console-format.ts'

const quoted = (text: string | null) => (text === null || text === '' ? '' : `: “${text}”`)
const given = (text: string | null) => (text === null ? '' : `: ${text}`)

interface Told {
  who: string
  component: string
  detail: string | null
}

const sentences: Record<MomentKind, (moment: Told) => string> = {
  opened: () => 'The room opened',
  connected: ({ who }) => `${who} connected`,
  disconnected: ({ who }) => `${who} lost the connection`,
  restored: () => 'Another instance took the room over',
  tick: () => 'The time was up',
  completed: ({ who, detail }) => `${who} completed${given(detail)}`,
  withdrawn: ({ who }) => `${who} withdrew their consent`,
  agent_turn: ({ who, detail }) => `${who} (agent) acted${given(detail || null)}`,
  submit_response: ({ who, component, detail }) => `${who} answered ${component}${given(detail)}`,
  send_message: ({ who, detail }) => `${who} wrote${quoted(detail)}`,
  ready: ({ who }) => `${who} pressed the button`,
  cannot_answer: ({ who, component }) => `${who} could not answer ${component}: its picture did not load`,
  leave: ({ who }) => `${who} left`,
  playback_command: ({ who, detail }) => `${who} used the player${given(detail)}`,
  advance: () => 'A researcher ended the state',
  pause: ({ detail }) => `A researcher paused the room${quoted(detail)}`,
  resume: () => 'A researcher resumed the room',
  end: ({ detail }) => `A researcher ended the room${quoted(detail)}`,
  announce: ({ who, detail }) => `A researcher wrote to ${who || 'everyone'}${quoted(detail)}`,
  remove: ({ who }) => `A researcher removed ${who}`,
  prompt: ({ who }) => `A researcher asked ${who} to act`,
  erased: ({ who }) =>
    who ? `${who}, who has been deleted, did something` : 'Somebody was deleted: what is left of the room',
}

const round = (number: number, of: number) => `round ${format.number(number)} of ${format.number(of)}`

export const replay = {
  open: 'Replay',
  title: 'Replay',
  back: '← Room',
  none: 'Nothing has happened yet',
  noneMessage: 'The replay begins when the first participant enters the room.',
  notWhole:
    'Part of this room cannot be replayed: an earlier version deleted somebody from it, or it is too long to be replayed to its end.',
  moment: (kind: MomentKind, told: Told) => sentences[kind](told),
  place: (name: string, number: number | null, of: number | null) =>
    number === null || of === null || of < 2 ? name : `${name} · ${round(number, of)}`,
  over: 'After the last state',
  before: 'Before the first state',
  ended: 'The room ended',
  position: 'Moment',
  at: (elapsed: string, sentence: string) => `${elapsed}, ${sentence}`,
  count: (index: number, of: number) => `${format.number(index)} of ${format.number(of)}`,
  previous: 'Previous moment',
  next: 'Next moment',
  play: 'Play',
  pause: 'Pause',
  speed: 'Speed',
  times: (speed: number) => `${format.number(speed)}×`,
  player: 'Player',
  seenBy: 'Seen',
  above: 'from above',
  as: (alias: string, role: string) => `as ${alias} (${role})`,
  agent: 'agent',
  happened: 'What happened',
  earlier: (count: number) => `${format.number(count)} earlier`,
  later: (count: number) => `${format.number(count)} later`,
  copy: 'Copy link to this moment',
  copied: 'Copied',
  frame: (alias: string) => `The page that ${alias} saw`,
  noView: (alias: string) => `${alias} had no seat yet.`,
  finished: (alias: string, outcome: string) => `${alias}’s part was over: ${outcome}.`,
  nothingShown: (alias: string) => `${alias} saw nothing of the room.`,
  videosHint: 'Uploaded videos are not played here. Nothing on this page can be used.',
  seats: 'Seats',
  noAnswers: 'no answer yet',
  ready: 'ready',
  tooLong: (characters: number) => `too long to show (${format.number(characters)} characters)`,
  chat: 'Chat',
  noMessages: 'No messages so far.',
  to: (aliases: readonly string[]) => `to ${aliases.join(', ')}`,
  variables: 'Variables',
  roomVariables: 'Variables of the room',
}
