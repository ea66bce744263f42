import type { ExportedEvent, ShareAccess } from '@atrium/contract'
import { format, plurals } from './console-format.ts'

const events = { one: 'event', other: 'events' }

/** The tabs of an experiment that need few words each: matching, participants, revisions, data, sharing. */
export const studyTabs = {
  dryRun: {
    title: 'Dry run',
    intro:
      'Simulated people go through the matching of the saved definition, so that you know in advance how long people would wait and how many would not find a group. Nothing is stored.',
    failed: 'The dry run failed',
    people: 'People',
    peopleHint: 'In total',
    perMinute: 'Per minute',
    perMinuteHint: 'How many arrive',
    arrivals: 'Arrivals',
    arrivalsHint: 'How they arrive',
    patterns: {
      poisson: 'Independently (Poisson)',
      even: 'At equal intervals',
      all_at_once: 'All at once',
    },
    leaveAfter: 'Leave after, in minutes',
    leaveAfterHint: 'On average; nobody leaves if empty',
    run: 'Run',
    wholeNumberBetween: (min: number, max: number) =>
      `A whole number from ${format.number(min)} to ${format.number(max)}.`,
    numberBetween: (min: number, max: number) => `A number from ${min} to ${format.number(max)}.`,
    minutesUpToOrNone: (max: number) => `A number of minutes up to ${format.number(max)}, or nothing.`,
    result: 'Result',
    stoppedTitle: 'Stopped early',
    stoppedMessage:
      'The queue became so long that the run was stopped. The figures cover the people who arrived before that.',
    waitingTimes: 'Waiting times',
    shareOf: (share: string, all: number) => `${share} of ${format.number(all)}`,
    matched: 'Matched',
    halfWaited: 'Half waited at most',
    halfWaitedNote: 'p50, of those matched',
    mostWaited: '90% waited at most',
    nearlyAllWaited: '99% waited at most',
    endedByDeadline: 'Ended by the deadline',
    left: 'Left while waiting',
    stillWaiting: 'Still waiting',
    screenedOut: 'Screened out',
    groups: 'Groups',
    full: (count: number) => `${format.number(count)} full`,
    short: (count: number) => `${format.number(count)} short`,
    withAgents: (count: number) => `${format.number(count)} with agents`,
    range: (fromMs: number, toMs: number) => `${format.duration(fromMs)} – ${format.duration(toMs)}`,
    nobodyMatched: 'Nobody was matched, so there are no waiting times.',
    histogram: (matched: number, maxMs: number, fullest: { people: number; fromMs: number; toMs: number }) =>
      `Waiting times of ${plurals.count(matched, { one: 'matched person', other: 'matched people' })}, up to ${format.duration(maxMs)}. The most frequent was ${format.duration(fullest.fromMs)} to ${format.duration(fullest.toMs)} (${format.number(fullest.people)}).`,
  },

  participants: {
    intro:
      'The recruiting IDs that people had when they joined. They are not in any export, and viewing them is recorded in the audit log.',
    refresh: 'Refresh',
    none: 'No participants yet',
    noneMessage: 'People appear here as soon as they join.',
    columns: {
      recruitingIds: 'Recruiting IDs',
      participant: 'Participant',
      joined: 'Joined',
      consent: 'Consent',
      status: 'Status',
      outcome: 'Outcome',
      code: 'Code',
    },
    recruitingId: (name: string, value: string) => `${name}: ${value}`,
  },

  revisions: {
    columns: { revision: 'Revision', name: 'Name', saved: 'Saved', by: 'By', definition: 'Definition' },
    show: 'Show',
    showLabel: (revision: number) => `Show revision ${revision}`,
    title: (revision: number) => `Revision ${revision}`,
    definitionOf: (revision: number) => `Definition of revision ${revision}`,
    hint: 'As it was saved. To go back to it, copy it into the definition and save that.',
  },

  data: {
    title: 'Export',
    intro: (stored: number | undefined) =>
      `${stored === undefined ? '…' : plurals.count(stored, events)} stored so far. The export holds one event per line, as JSON, for each participant in order of receipt. It identifies nobody: there are no subjects, addresses, browsers or metadata in it.`,
    start: 'Export as JSONL',
    fileType: 'JSON lines',
    cancelled: 'Cancelled. Nothing was saved.',
    failed: 'The export was interrupted, and nothing was saved',
    done: 'Done',
    doneMessage: (lines: number, bytes: number, fileName: string) =>
      `${plurals.count(lines, events)}, ${format.bytes(bytes)}, in ${fileName}.`,
    progress: 'Events received',
    received: (lines: number, bytes: number) =>
      `${format.bytes(bytes)}, ${plurals.count(lines, events)} received`,
    fields: 'What the fields mean',
    field: 'Field',
    meaning: 'Meaning',
    /** A record over all fields, so that a new field of the export does not compile until it is explained here. */
    meanings: {
      participantId: 'The participant, by the ID that the platform gave them.',
      sessionId: 'The session it came through, by a stable name that gives no access to it.',
      seq: 'Order of receipt within the session, from 1 without gaps.',
      type: 'What happened: state_transition, component_response, chat_message, connected, … or a name of your own.',
      timestamp: 'When it happened by the participant’s clock, in milliseconds since 1970.',
      receivedAt: 'When the server received it, by the server’s clock.',
      stateId: 'The state it belongs to; null if none.',
      componentId: 'The component it belongs to; null if none.',
      data: 'What was recorded. In a component_response, data.value is the answer.',
      eventId: 'The ID that the page gave the event, so that it can be sent again safely; null if none.',
      revision: 'The revision of the definition that the participant joined.',
      roomId: 'The participant’s room; null for people who never had one.',
      condition: 'The condition of that room; null without conditions.',
      role: 'The participant’s role; null for people who never got one.',
      alias: 'The participant’s name as the others in the room see it: P1, P2, …',
      agent: 'The id of the agent in the definition; null for people.',
      round: 'The round of the block in which it happened, from 1; null outside blocks.',
      visit: 'How many states had been entered by then. Tells two visits to the same state apart.',
      origin:
        '“room”: recorded by the platform. “client”: sent by the participant’s page, whatever its type says.',
      roomSeq: 'The order of events in a room, across participants; null for events sent by a page.',
      flags:
        'Set if the event names a state or component that the revision does not have, or answers a component of another role or with a value that it does not allow.',
      extra: 'Fields that your page sent beyond the documented ones; absent if there are none.',
      synthetic: 'True in the export of pilots, which agents play alone; absent in the export of people.',
    } satisfies Record<keyof ExportedEvent, string>,
  },

  sharing: {
    title: 'Sharing',
    intro:
      'Only you and the administrators can see this experiment, its rooms and its data. People you share it with find it in their list of experiments.',
    none: 'Not shared with anyone',
    noneMessage: 'Add colleagues who should see the rooms and the data, or help to run the study.',
    shareWith: 'Share with',
    inDevelopment: 'In development mode: the name they use to sign in to the console, for example ada.',
    atProvider:
      'Their verified e-mail address, or the subject of their account. They need the researcher role.',
    access: 'Access',
    accessChoices: { view: 'Can view', edit: 'Can edit and control rooms' } satisfies Record<
      ShareAccess,
      string
    >,
    accessOf: (user: string) => `Access of ${user}`,
    share: 'Share',
    remove: 'Remove',
    removeLabel: (user: string) => `Stop sharing with ${user}`,
    shared: (user: string) => `Shared with ${user}.`,
    changed: (user: string) => `The access of ${user} has been changed.`,
    removed: (user: string) => `No longer shared with ${user}.`,
    notChanged: 'The list was not changed',
    problems: {
      missing: 'Please say whom to share it with.',
      tooLong: (most: number) => `This is too long: ${most} characters at most.`,
      noEmail: 'This is not an e-mail address.',
      known: 'They are already on the list.',
      full: (most: number) => `At most ${most} people: remove someone first.`,
    },
  },
}
