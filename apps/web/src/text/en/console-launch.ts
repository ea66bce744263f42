import { plurals } from './console-format.ts'

export const launch = {
  launch: {
    title: 'Before you start',
    ready: 'All of this is done.',
    open: (count: number) =>
      `${plurals.count(count, { one: 'thing', other: 'things' })} to look at. None of them keeps you from starting.`,
    isDone: 'Done:',
    isOpen: 'To look at:',
    items: {
      problems: {
        done: 'The definition has no problems.',
        open: 'There are hints about the definition.',
      },
      draft: {
        done: 'Everything you changed is published.',
        open: 'There is a draft that participants do not get yet.',
      },
      summary: {
        done: 'The home page says what the study is about.',
        open: 'There is no summary for the home page.',
      },
      consent: { done: 'People are asked for their consent.', open: 'Nobody is asked for consent.' },
      codes: {
        done: 'People get a code at the end.',
        open: 'People get no code at the end: recruiting sites need one.',
      },
      capacity: {
        done: 'The number of places is limited.',
        open: 'There is no limit to how many people can join.',
      },
      matching: {
        done: 'Nobody waits for a group without end.',
        open: 'People may wait for a group without end. A dry run shows how long.',
      },
      played: {
        done: 'Agents have played this revision to the end.',
        open: 'Nobody has played this revision to the end yet: let agents try it in a pilot.',
      },
    },
    goThere: {
      definition: 'Go to the definition',
      matching: 'Go to matching',
      agents: 'Go to agents',
      recruiting: 'Go to recruiting',
    },
    qrCode: 'QR code of the link',
  },
}
