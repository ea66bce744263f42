import type { ExperimentAccess, ExperimentStatus } from '@atrium/contract'
import { format, plurals } from './console-format.ts'

const people = { one: 'person', other: 'people' }
const events = { one: 'event', other: 'events' }

interface ActivitySummary {
  range: string
  joined: number
  completed: number
  events: number
  busiest: { at: string; events: number } | undefined
}

export const experiments = {
  experiments: {
    title: 'Studies',
    one: 'Study',
    new: 'New study',
    back: '← Studies',
    count: (count: number) => plurals.count(count, { one: 'study', other: 'studies' }),
    countOf: (found: number, all: number) =>
      `${format.number(found)} of ${plurals.count(all, { one: 'study', other: 'studies' })}`,
    empty: {
      title: 'No studies yet',
      message:
        'A study is a definition: the states that participants go through, what they see and answer there, and who shares a room. Begin with one of the starting points and adapt it.',
    },
    search: {
      label: 'Search',
      placeholder: 'Name, ID or status',
      clear: 'Clear the search',
      nothing: 'No matches',
      nothingFor: (search: string) => `No study has “${search}” in its name, ID or status.`,
    },
    columns: { name: 'Name', status: 'Status', revision: 'Revision', places: 'Places left' },
    unpublished: 'not published',
    card: (revision: number | undefined, availableSlots: number) =>
      `${revision === undefined ? 'Not published yet' : `Revision ${format.number(revision)}`} · places left: ${format.places(availableSlots)}`,
    tabs: {
      overview: 'Overview',
      definition: 'Definition',
      revisions: 'Revisions',
      rooms: 'Rooms',
      matching: 'Matching',
      agents: 'Agents',
      recruiting: 'Recruiting',
      participants: 'Participants',
      data: 'Data',
      sharing: 'Sharing',
    },
  },

  access: {
    labels: {
      owner: 'Yours',
      edit: 'Shared with you',
      view: 'Shared with you: view only',
      admin: 'Someone else’s',
    } satisfies Record<ExperimentAccess, string>,
    viewOnly: {
      title: 'View only',
      message:
        'You can see the study and export its data, but not the recruiting IDs of participants, and you cannot change the study or control its rooms. To change it, make a copy.',
    },
    ownerOnly: {
      participants: {
        title: 'Only for the owner',
        message:
          'The list of participants has their recruiting IDs, which tell who somebody is. Only the owner of the study and administrators can see it.',
      },
      sharing: {
        title: 'Only for the owner',
        message: 'Only the owner of the study and administrators can see and change whom it is shared with.',
      },
    },
  },

  copyExperiment: {
    button: 'Make a copy',
    name: (name: string) => `${name} (copy)`,
    done: (name: string) => `“${name}” has been saved as a draft of your own.`,
    failed: 'The copy was not made',
  },

  status: {
    names: {
      draft: 'draft',
      recruiting: 'recruiting',
      paused: 'paused',
      closed: 'closed',
      archived: 'archived',
    } satisfies Record<ExperimentStatus, string>,
    meanings: {
      draft: 'Not open yet: nobody can join.',
      recruiting: 'People can join.',
      paused: 'Nobody new can join for now. People who have already joined can continue.',
      closed: 'Nobody new can join. People who have already joined can finish.',
      archived: 'Closed for good.',
    } satisfies Record<ExperimentStatus, string>,
    steps: {
      start: 'Start recruiting',
      pause: 'Pause recruiting',
      resume: 'Resume recruiting',
      recruitAgain: 'Recruit again',
      close: 'Close the study',
      archive: 'Archive',
      toDraft: 'Back to draft',
    },
    closeTitle: 'Close this study?',
    closeMessage:
      'Nobody new can join. People who have already joined can finish. You can recruit again later.',
    archiveTitle: 'Archive this study?',
    archiveMessage: 'An archived study stays as it is: it cannot be changed or opened again.',
    changed: (status: string) => `The study is now ${status}.`,
    notChanged: 'The status was not changed',
    unsaved: 'Your last changes are not saved as a draft yet. Go to the definition if this stays.',
  },

  deleteStudy: {
    open: 'Delete this study',
    title: (name: string) => `Delete “${name}”?`,
    message:
      'All its revisions, its draft and what agents played in it are deleted for good. Nobody has taken part in it yet, so no answers are lost.',
    confirm: 'Delete for good',
    done: (name: string) => `“${name}” was deleted.`,
    failed: 'The study was not deleted',
  },

  figures: {
    title: 'Now',
    participants: 'Participants',
    joinedInTotal: 'joined in total',
    active: 'Active',
    takingPart: 'taking part right now',
    completed: 'Completed',
    endedEarly: 'Ended early',
    endedEarlyNote: 'with another outcome',
    ofAll: (share: string) => `${share} of all`,
    places: 'Places left',
    byCapacity: 'within the capacity',
    openRooms: 'Open rooms',
    withSomeoneActive: 'with someone active',
    events: 'Events',
    stored: 'stored',
    gaps: 'Sessions with gaps',
    eventsMissing: 'completed with events missing',
    noneMissing: 'every event arrived',
    lastEvent: 'Last event',
    noEvent: 'none yet',
    outcomes: 'Participants by outcome',
    outcome: (outcome: string, count: number) => `${outcome}: ${format.number(count)}`,
  },

  activity: {
    title: 'Activity',
    range: 'Time range',
    ranges: [
      { minutes: 60, label: '1 h', words: 'hour' },
      { minutes: 360, label: '6 h', words: '6 hours' },
      { minutes: 1_440, label: '24 h', words: '24 hours' },
      { minutes: 10_080, label: '7 d', words: '7 days' },
    ],
    people: 'People',
    events: 'Events',
    joined: 'Joined',
    completed: 'Ended',
    from: 'From',
    showTable: 'Show as a table',
    hideTable: 'Hide the table',
    emptyTable: 'There is nothing to list.',
    nothing: (range: string) => `Nothing happened in the last ${range}.`,
    summary: ({ range, joined, completed, events: received, busiest }: ActivitySummary) =>
      `In the last ${range}: ${plurals.count(joined, people)} joined, ${plurals.count(completed, people)} ended, ${plurals.count(received, events)} received` +
      (busiest ? `; most at ${busiest.at} (${plurals.count(busiest.events, events)}).` : '.'),
  },

  links: {
    title: 'Links for participants',
    onlyWhileRecruiting: 'People can join with these links only while the study is recruiting.',
    link: 'Link',
    prolific: 'For Prolific',
    prolificHint:
      'Paste it into your Prolific study as it is: Prolific fills in the parts in braces. Participants need no account, unless the definition requires one.',
    copy: 'Copy',
    copyLabel: (label: string) => `Copy: ${label}`,
    copied: 'Copied',
  },

  describeStudy: {
    title: 'Describe it in words',
    label: 'Your study',
    hint: 'Who takes part, what do they see and do, in which order, and what do you measure?',
    placeholder:
      'Two people meet, talk for five minutes about a video, and then each says how much they liked the other …',
    model: 'Model',
    sentTo: (model: string) =>
      `What you write is sent to ${model}, the model of your credential. It drafts a study that you check and edit; nobody can join until you publish it and start recruiting.`,
    start: 'Draft the study',
    running: 'The model is drafting your study. This may take a minute or two.',
    elapsed: (duration: string) => `${duration} so far`,
    cancel: 'Cancel',
    failed: 'There is no draft',
    done: (isValid: boolean, leftOut: readonly string[]) =>
      [
        isValid
          ? 'This draft is the model’s. Read it before you publish it.'
          : 'This draft is the model’s, and has problems, which you can fix here.',
        leftOut.length === 0 ? '' : ` Left out, because only you can add it: ${leftOut.join(', ')}.`,
      ].join(''),
  },

  newExperiment: {
    title: 'New study',
    intro: 'It is saved as a draft: nobody can join until you publish it and start recruiting.',
    startFrom: 'Start from',
    name: 'Name of the study',
    create: 'Create',
    import: 'Import from a file',
    importedAsDraft: 'The file has problems. It was kept as a draft, in which you can fix them.',
    notSaved: 'The study was not created',
    startingPoints: {
      blank: {
        title: 'Blank',
        description: 'A name and one empty state: the smallest definition there is.',
      },
      survey: { title: 'Survey', description: 'One person at a time: consent, two questions, thanks.' },
      chat: {
        title: 'Chat for two',
        description: 'Two people are matched, talk for five minutes and say how it was.',
      },
      agent: {
        title: 'Chat with an agent',
        description: 'One person talks to an agent that plays a script; give it a model server instead.',
      },
      'public-goods': {
        title: 'Public goods round',
        description: 'Three people decide how much to give to a common pot, which grows and is shared.',
      },
    },
  },
}
