import { createPlurals } from '../plurals.ts'

const plurals = createPlurals('en')

const checkLink = 'The link may be incomplete. Please check it, or ask the person who sent it to you.'
const tryAgain = 'Try again'
const noGroup = 'We could not find enough people for your group in time. Thank you for waiting.'

export const pages = {
  loading: 'Loading …',

  nothingHere: {
    title: 'Page not found',
    message: checkLink,
    toStudies: 'See which studies are open',
  },

  studies: {
    title: 'Studies',
    loading: 'Loading studies …',
    none: 'No studies are open at the moment. Please check back later.',
    placesLeft: (count: number) => plurals.count(count, { one: 'place left', other: 'places left' }),
    forResearchers: 'For researchers',
    tryAgain,
  },

  consent: {
    title: 'Before you begin',
    defaultText: 'Do you agree to take part in this study?',
    sendsTextToModels:
      'In this study, what you write and choose is sent to a language model, a computer program that takes part in it.',
  },

  waiting: {
    title: 'Waiting for other participants',
    joining: 'Joining the waiting room …',
    connectionLost: 'The connection was lost. We’ll keep trying, and hold your place for a moment.',
    unavailable: 'The study isn’t available at the moment. We’ll keep trying, so you can stay here.',
    keepOpen: 'Please keep this page open. The study will start automatically.',
    stop: 'Stop waiting',
    waited: 'Time waited',
    aboutMinutes: (count: number) =>
      plurals.pick(count, { one: 'about a minute', other: `about ${count} minutes` }),
    groupComplete: 'Your group is complete.',
    enough: 'Enough people are here. The study will start when the group is full or the waiting time ends.',
    noCapacity: 'Your group is complete. The study will start as soon as there is room for it.',
  },

  room: {
    connectionLost: 'The connection was lost. We’ll keep trying. Nothing has been lost.',
    unavailable:
      'The study can’t accept anything at the moment. This is not your fault. We’ll keep trying, and nothing you have sent is lost.',
    paused: 'The study is paused. It will continue automatically.',
    away: (aliases: readonly string[]) =>
      `${new Intl.ListFormat('en').format(aliases)} ${plurals.pick(aliases.length, { one: 'has', other: 'have' })} lost the connection.`,
    dropped: (aliases: readonly string[]) =>
      `${new Intl.ListFormat('en').format(aliases)} ${plurals.pick(aliases.length, { one: 'has', other: 'have' })} been away for a while. The study continues without waiting for them.`,
    gone: (aliases: readonly string[]) =>
      `${new Intl.ListFormat('en').format(aliases)} ${plurals.pick(aliases.length, { one: 'is', other: 'are' })} no longer taking part.`,
    /** Somebody took a seat while the study was running, usually that of a person who left. */
    seated: (aliases: readonly string[]) =>
      `${new Intl.ListFormat('en').format(aliases)} ${plurals.pick(aliases.length, { one: 'has', other: 'have' })} joined.`,
    /** Of a group that is too large to name them. */
    absentInCrowd: (absent: number, of: number) =>
      `${absent} of ${of} people ${plurals.pick(absent, { one: 'is', other: 'are' })} not here at the moment.`,
    agentsInCrowd: (agents: number, of: number) =>
      `${agents} of the ${of} who take part ${plurals.pick(agents, { one: 'is an agent', other: 'are agents' })}.`,
    agent: 'agent',
    company: 'Taking part with you:',
    throughout: 'Shown throughout the study',
    leave: {
      open: 'Leave the study',
      title: 'Leave the study?',
      message: 'You won’t be able to come back. Your answers so far will be kept.',
      stay: 'Stay',
      confirm: 'Leave',
    },
  },

  state: {
    othersBusy: 'The other participants have something to do. The study will continue automatically.',
    pleaseWait: 'Please wait',
    round: (round: number, rounds: number) => `Round ${round} of ${rounds}`,
    continue: 'Continue',
    submit: 'Submit',
    /** Questions that have come to the page with an answer. */
    appeared: (count: number) =>
      plurals.pick(count, {
        one: 'A question was added to this page.',
        other: `${count} questions were added to this page.`,
      }),
    contentAppeared: 'Something was added to this page.',
    /** Options or rows that have come to questions with an answer to another one. */
    choicesAppeared: (count: number) =>
      plurals.pick(count, {
        one: 'A question now has more to choose from.',
        other: `${count} questions now have more to choose from.`,
      }),
    saved: 'Saved. The study will continue when everyone is ready.',
    readyOf: (ready: number, of: number) =>
      `${ready} of ${of} ${plurals.pick(ready, { one: 'is', other: 'are' })} ready.`,
  },

  /** Why an answer cannot be sent as it is. Numbers are written as the participant has to type them. */
  problems: {
    doThisFirst: 'Please complete this before you continue.',
    unanswered: 'Please answer this question.',
    numberBetween: (min: number, max: number) => `Please enter a number from ${min} to ${max}.`,
    number: 'Please enter a valid number.',
    email: 'Please enter an e-mail address.',
    textLength: 'Your answer is too short or too long.',
    choose: (count: number) => `Please choose ${count}.`,
    chooseBetween: (min: number, max: number) => `Please choose ${min} to ${max}.`,
    chooseAtLeast: (min: number) => `Please choose at least ${min}.`,
    everyRow: 'Please answer every row.',
    incomplete: 'Please complete your answer.',
    notSent: 'This could not be sent. Please try again in a moment.',
  },

  /** By error code. Null where the sentences of the server are in this language; they say more. */
  refusals: null as Readonly<Record<string, string>> | null,

  finishing: {
    title: 'Saving your answers',
    keepOpen: 'Your answers are being saved. Please keep this page open.',
    slow: (problem: string) => `This is taking longer than usual. We’ll keep trying. (${problem})`,
  },

  /** For colleagues who follow the link of a try. */
  tryNote: 'You are trying out a study. Everything you enter is deleted after a day.',

  preview: {
    title: 'Preview',
    message: 'This is a preview of the study. Please accept the HIT to take part.',
    next: 'Once you have accepted it, this page opens again and the study begins. Nothing you do here is recorded.',
  },

  done: {
    title: 'End of the study',
    earned: (amount: string) => `You have earned ${amount}.`,
    /** The rounds as a list, and how many they are. */
    earnedIn: (rounds: string, count: number) =>
      `${plurals.pick(count, { one: 'Round', other: 'Rounds' })} ${rounds} ${plurals.pick(count, { one: 'was', other: 'were' })} drawn for your payment.`,
    code: 'Your code:',
    copy: 'Copy',
    copied: 'Copied',
    redirecting: 'Taking you back …',
    goBack: 'Go back now',
    mayClose: 'You can close this page now.',
    /** Whatever the outcome is called: nobody but the researchers decided it. */
    removed: 'The researchers ended your participation. Thank you for taking part.',
    noCode: (site: string) =>
      `There is no completion code for this. You can return your submission at ${site}, or write to the researchers there.`,
    toSite: (site: string) => `Go to ${site}`,
    withdrawal: {
      title: 'Your data',
      explain: {
        identity:
          'You can ask that nobody can tell any more which answers are yours. Your answers stay in the study. This cannot be undone.',
        all: 'You can withdraw from the study: your answers and everything stored about you are deleted. Results of your group that were computed from them stay, without you. This cannot be undone.',
      },
      until: 'You can do this within a day of starting; after that, ask the researchers.',
      keepCode: 'If you see a code above, note it first: the study will no longer know it.',
      ask: { identity: 'Remove my identity', all: 'Delete my data' },
      confirm: { identity: 'Yes, remove my identity', all: 'Yes, delete my data' },
      cancel: 'Keep it',
      done: { identity: 'Nobody can tell any more which answers are yours.', all: 'Your data is deleted.' },
      failed: 'This did not work. Please try again in a moment.',
    },
    /** By outcome, or by the reason why the wait ended. Only SUCCESS speaks of completion. */
    outcomes: {
      SUCCESS: 'You have completed the study. Thank you for taking part.',
      NO_CONSENT: 'You did not agree to take part, so the study ends here. Thank you for your time.',
      SCREENED_OUT: 'You are not eligible to continue with this study. Thank you for your time.',
      screened_out: 'You are not eligible for this study. Thank you for your interest.',
      TIMEOUT: 'The time for this study ran out. Your answers have been saved. Thank you for taking part.',
      NOT_MATCHED: noGroup,
      deadline: noGroup,
      closed: 'The study closed before your group was complete. Thank you for waiting.',
      left: 'You stopped waiting. Thank you for your time.',
      full: 'You left, and all places have been taken since. Thank you for your interest.',
      ABANDONED: 'You have left the study. Your answers so far have been saved.',
      PARTNER_LEFT: 'Another participant left, so the study could not continue. Thank you for taking part.',
      QUOTA_FULL: 'All places in this study have been taken. Thank you for your interest.',
      STUDY_CLOSED: 'This study is not open at the moment. Thank you for your interest.',
      TECHNICAL:
        'Your participation was ended early, by the researchers or for a technical reason. Thank you for taking part.',
    } as Readonly<Record<string, string>>,
    /** Experiments may have outcomes of their own, which say nothing about success. */
    otherOutcome: 'Your part in this study has ended. Thank you for taking part.',
  },

  stopped: {
    tryAgain,
    whatNow: 'You can close this page, or take part in another study.',
    full: {
      title: 'This study is full',
      message: 'All places have been taken. Thank you for your interest.',
    },
    alreadyCompleted: {
      title: 'You have already taken part in this study',
      message:
        'You can take part only once. Thank you for taking part. If you need your completion code, open this link in the browser in which you finished.',
    },
    notOpen: { title: 'This study is not open', message: 'It is not accepting participants at the moment.' },
    unreachable: {
      title: 'We can’t reach the study',
      message: 'Please check your connection. Nothing has been lost.',
    },
    notFound: { title: 'Study not found', message: checkLink },
    unknownRoom: {
      title: 'This is not your room',
      message: 'Please use the link that you were given for the study.',
    },
    otherTab: {
      title: 'The study is open in another tab',
      message: 'It is open in another tab or on another device. You can continue here instead.',
      remedy: 'Continue here',
    },
    broken: {
      title: 'This page has stopped working',
      message: 'Your answers so far have been saved. Please reload the page to continue where you left off.',
      remedy: 'Reload the page',
    },
    unexpected: 'Something went wrong',
    cannotTakePart: 'You can’t take part at the moment',
    notCompleted: {
      title: 'The study could not be completed',
      message: (problem: string) => `Please tell the researchers: ${problem}`,
    },
  },
}
