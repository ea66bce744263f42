import type { PersonStep, SessionStatus } from '@atrium/contract'
import { format, plurals } from './console-format.ts'

const people = { one: 'person', other: 'people' }
const answers = { one: 'answer', other: 'answers' }

/** The plots, the list of participants and the files of the Data tab. */
export const plots = {
  dataViews: {
    label: 'What to show',
    views: { plots: 'Plots', people: 'Participants', files: 'Files' },
  },

  plots: {
    counting:
      'Events from before the last update are still being counted in the background. Until that is done, some figures are too low.',
    showTable: 'Show as a table',
    hideTable: 'Hide the table',
    tableOf: (title: string) => `${title}, as a table`,
    flow: {
      title: 'Participant flow (CONSORT)',
      empty: 'Nobody has joined yet.',
      count: 'What became of them',
      all: 'All',
      noCondition: 'No condition',
      byCondition: 'By condition',
      moreConditions: (count: number) => `… and ${format.number(count)} more, in the table`,
      ofCondition: (name: string, assigned: number, completed: number) =>
        `${name}: ${format.number(assigned)}, ${format.number(completed)} completed`,
      line: (label: string, people: number) => `${label}: ${format.number(people)}`,
      summary: (arrived: number, completed: number, dropped: number) =>
        `${plurals.count(arrived, people)} arrived, ${format.number(completed)} completed (${format.share(completed, arrived)}), and ${format.number(dropped)} stopped before the end.`,
      note: 'People are counted once, at the place where their participation ended. Deleted people are known only by their number.',
      labels: {
        arrived: 'Arrived',
        consented: 'Consented',
        awaitingConsent: 'Reading consent form',
        declined: 'Declined',
        waiting: 'Waiting for a group',
        notMatched: 'Not matched',
        assigned: 'Assigned to a room',
        inProgress: 'Still taking part',
        completed: 'Completed',
        screenedOut: 'Screened out',
        removed: 'Removed',
        withdrawn: 'Withdrawn',
        disconnected: 'Vanished',
        left: 'Left on their own',
        partnerLeft: 'Partner left',
        timedOut: 'Out of time',
        quotaFull: 'Quota full',
        ended: 'Room or study ended',
        deleted: 'Deleted',
      },
    },
    completion: {
      title: 'Completion over time',
      empty: 'Nobody has joined yet.',
      joined: 'Joined',
      completed: 'Ended',
      when: { hour: 'From', day: 'Day (UTC)' },
      summary: (joined: number, completed: number) =>
        `${plurals.count(joined, people)} joined, and ${format.number(completed)} ended with any outcome (${format.share(completed, joined)}).`,
    },
    outcomes: {
      title: 'Outcomes',
      empty: 'Nobody has joined yet.',
      outcome: 'Outcome',
      people: 'People',
      undecided: 'Not decided yet',
      summary: (all: number, first: string, max: number) =>
        `The most frequent of ${plurals.count(all, people)}: ${first}, ${format.number(max)} (${format.share(max, all)}).`,
    },
    states: {
      title: 'Drop-out by state',
      empty: 'Nobody has entered a state yet.',
      state: 'State',
      entered: 'Entered',
      wentOn: 'Went on',
      stopped: 'Ended here',
      rest: 'Still there, or gone',
      label: (name: string, id: string) => `${name} (${id})`,
      summary: (stopped: number, worst: { state: string; stopped: number; entered: number } | undefined) =>
        worst
          ? `${plurals.count(stopped, { one: 'participation', other: 'participations' })} ended before the end of the study. Most often in ${worst.state}: ${format.number(worst.stopped)} of ${plurals.count(worst.entered, { one: 'visit', other: 'visits' })}.`
          : 'No participation ended before its room reached the end.',
      note: 'A state that is entered several times counts each time. Where a room goes on without people who are away, they go on with it here: how many never came back is under Outcomes, as ABANDONED.',
    },
    responseTimes: {
      title: 'Response times',
      empty: 'No answer with a response time yet.',
      component: 'Component',
      label: (state: string, component: string) => (state === '' ? component : `${state}: ${component}`),
      time: 'Time',
      answers: 'Answers',
      summary: (count: number, middle: string) =>
        `${plurals.count(count, answers)}. The median response time: ${middle}.`,
    },
    waiting: {
      title: 'Waiting times',
      empty: 'Nobody has a room yet.',
      time: 'From joining to a room',
      people: 'People',
      summary: (count: number, middle: string) =>
        `${plurals.count(count, people)} got a room. The median wait: ${middle}.`,
      newestOnly: 'Only the newest 1,000 people are counted.',
    },
    below: (ms: number) => `under ${format.latency(ms)}`,
    between: (fromMs: number, toMs: number) => `${format.latency(fromMs)} – ${format.latency(toMs)}`,
    above: (ms: number) => `${format.latency(ms)} or more`,
  },

  people: {
    title: 'Participants',
    intro: 'Everybody who joined, without who they are. Choose somebody to see what they did.',
    refresh: 'Refresh',
    status: 'Status',
    outcome: 'Outcome',
    condition: 'Condition',
    every: 'All',
    statuses: {
      active: 'Taking part',
      completed: 'Ended',
      expired: 'Expired',
      revoked: 'Revoked',
    } satisfies Record<SessionStatus, string>,
    none: 'Nobody to show',
    noneMessage: 'Nobody has joined yet, or nobody matches the filters.',
    columns: {
      participant: 'Participant',
      joined: 'Joined',
      status: 'Status',
      outcome: 'Outcome',
      condition: 'Condition',
      alias: 'Name in the room',
    },
    showLabel: (id: string) => `Show what ${id} did`,
    facts: {
      room: 'Room',
      role: 'Role',
      revision: 'Revision',
      events: 'Events',
    },
    timeline: 'Time line',
    more: 'There is more than is shown here. The export of this person has everything.',
    after: (ms: number) => `+${format.duration(ms)}`,
    steps: {
      joined: 'Joined',
      consented: 'Gave consent',
      declined: 'Declined consent',
      waited: 'Got a room after waiting',
      matched: 'Got a room',
      entered: 'Entered a state',
      went_on: 'Finished a stage',
      answered: 'Answered',
      wrote: 'Wrote a message',
      dropped: 'Was away for too long',
      stopped: 'Ended before the end of the study',
      ended: 'Reached the end of the study',
      completed: 'Participation ended',
    } satisfies Record<PersonStep['kind'], string>,
    round: (round: number) => `round ${round}`,
    back: 'Back to all participants',
    export: 'Export this person',
    exportHint:
      'Everything that is stored about this person, with who they are, in one JSON file. Recorded in the audit log.',
    exportName: (id: string) => `person ${id}`,
    delete: 'Delete this person …',
    deletion: {
      title: 'Delete this person?',
      scope: 'What is deleted',
      scopes: {
        identity: 'Only who they are',
        all: 'Everything',
      },
      scopeMeanings: {
        identity:
          'Account, recruiting IDs, address and browser are deleted. What they did stays in the data and belongs to nobody.',
        all: 'Their answers, messages and events are deleted from the data, too. What others did in the same room stays, and so do results of the group that were computed from their answers.',
      },
      policy: 'This is what the study lets participants do themselves.',
      underWay: 'If they are still taking part, their participation ends now.',
      lost: (id: string) => `This cannot be undone. It concerns ${id}.`,
      confirm: { identity: 'Delete who they are', all: 'Delete everything' },
      done: { identity: 'Who they are has been deleted.', all: 'The person has been deleted.' },
      failed: 'Nothing was deleted',
    },
  },

  files: {
    title: 'Ready-made files',
    start: 'Download',
    startLabel: (name: string) => `Download: ${name}`,
    archive: {
      name: 'Psych-DS archive',
      hint: 'All tables as CSV, the study as it was published, codebook and manifest in one ZIP file. It identifies nobody.',
    },
    codebook: { name: 'Codebook', hint: 'What every column means, as CSV.' },
    payments: { name: 'Payments', hint: 'What each person is owed, as CSV. It identifies nobody.' },
    identity: {
      name: 'Identity file',
      hint: 'Who the participants are, as CSV. Keep it apart from the data. Every download is recorded in the audit log.',
    },
    bonus: {
      name: 'Bonus file',
      hint: 'Recruiting IDs and bonuses, as Prolific takes them. Every download is recorded in the audit log.',
    },
  },
}
