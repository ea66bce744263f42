import { format, locale, plurals } from './console-format.ts'

export const launch = {
  launch: {
    title: 'Before you start',
    ready: 'All of this is done.',
    ofDraft: 'This is about your draft, which you publish when you start.',
    ofRevision: (revision: number) => `This is about revision ${revision}, as published.`,
    open: (count: number) =>
      `${plurals.count(count, { one: 'thing', other: 'things' })} to look at. None of them keeps you from starting.`,
    isDone: 'Done:',
    isOpen: 'To look at:',
    items: {
      errors: {
        done: 'Nothing keeps the draft from being published.',
        open: 'The draft has problems, so it cannot be published. The rest is checked once they are fixed.',
      },
      problems: {
        done: 'The definition has no problems.',
        open: 'There are hints about the definition.',
      },
      draft: {
        done: 'Everything you changed is published.',
        open: 'Not everything is published yet. You are asked about it when you start.',
      },
      summary: {
        done: 'The home page says what the study is about.',
        open: 'There is no summary for the home page.',
      },
      consent: { done: 'People are asked for their consent.', open: 'Nobody is asked for consent.' },
      paradata: {
        done: 'The consent page tells people what the page measures besides their answers:',
        open: 'No consent page tells people what the page measures besides their answers:',
      },
      codes: {
        done: 'People get a code at the end.',
        open: 'People get no code at the end: recruiting sites need one.',
      },
      everyCode: {
        done: 'However people end, they get a code, or the definition says why not.',
        open: 'Not every way to end has a code, or a reason not to have one:',
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
        open: 'Nobody has played this to the end yet: let agents try it in a pilot.',
      },
    },
    goThere: {
      definition: 'Go to the definition',
      matching: 'Go to matching',
      agents: 'Go to agents',
      recruiting: 'Go to recruiting',
    },
    qrCode: 'QR code of the link',
    /** What people will be paid. */
    forecast: {
      title: 'What it will cost',
      intro:
        'Simulated people play the study and are paid as it says, so that you know in advance what to budget. Nothing is stored.',
      people: 'People to pay',
      peopleHint: 'Who complete the study',
      peopleBetween: (max: number) => `A whole number from 1 to ${format.number(max)}.`,
      run: 'Estimate the payments',
      running: 'Simulated people are playing the study …',
      failed: 'There is no estimate',
      money: (amount: number, currency: string) =>
        new Intl.NumberFormat(locale, { style: 'currency', currency }).format(amount),
      total: 'In all',
      forPeople: (people: number) => `for ${plurals.count(people, { one: 'person', other: 'people' })}`,
      mean: 'Mean',
      range: 'Range',
      perPerson: 'per person',
      fromTo: (from: string, to: string) => (from === to ? from : `${from} – ${to}`),
      basis: (simulated: number) =>
        `From ${plurals.count(simulated, { one: 'simulated person', other: 'simulated people' })}, who answer at random and never leave. Real people decide differently, so plan some more. Fees of recruiting sites are not included.`,
      tooLarge: 'The study is too large to be played here, so there are no figures.',
      unknown: (count: number, of: number) =>
        `${format.number(count)} of ${format.number(of)} would be owed an amount that nobody knows: what they are paid by is no number.`,
      nobodyPaid: 'Nobody is paid: no way to the end leads to an outcome that the payment lists.',
      unpaid: (count: number, of: number) =>
        `${format.number(count)} of ${format.number(of)} ended with an outcome that is not paid. The figures are about the others.`,
    },
  },

  /** Asked when recruiting starts while there is a draft. */
  start: {
    title: 'What should participants get?',
    firstTitle: 'Publish and start recruiting?',
    message: (revision: number) =>
      `There are changes that have not been published. Participants get either these changes, as a new revision, or revision ${revision} as it is.`,
    onlyRevision: (revision: number) =>
      `Only revision ${revision} can be started as it is. The draft stays for you to fix.`,
    firstMessage: 'Your draft is published, and everybody with the link can join.',
    nothingYet: 'Nothing has been published yet, so there is nothing to start with until this is fixed.',
    differs: (revision: number) => `What differs from revision ${revision}`,
    problems: (count: number) =>
      `The draft has ${plurals.count(count, { one: 'problem', other: 'problems' })} to fix before it can be published`,
    withDraft: 'Publish these changes and start',
    withFirst: 'Publish and start',
    withRevision: (revision: number) => `Start with revision ${revision}`,
  },
}
