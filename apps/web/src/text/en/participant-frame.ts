import { createPlurals } from '../plurals.ts'

const plurals = createPlurals('en')

/** The frame around every page: header, clock, waiting room, the list of studies, and the questions before an end. */
export const frame = {
  product: 'Atrium',
  notices: 'Notices',
  leave: 'Leave',
  timeLeft: 'Time left',
  /** `time` is a duration in words, such as “3 minutes, 20 seconds”. */
  remaining: (time: string) => `${time} left`,
  step: (step: number, of: number) => `Step ${step} of ${of}`,

  waitingRoom: {
    title: 'You’re in.',
    needed: (count: number) =>
      plurals.pick(count, {
        one: 'We’re waiting for one more person.',
        other: `We’re waiting for ${count} more people.`,
      }),
    seats: (taken: number, of: number) => `${taken} of ${of} places are taken.`,
    estimate: (time: string) => `Usually this takes ${time} from here.`,
    noEstimate: 'We can’t say yet how long this takes.',
    soon: 'It should start any moment.',
    nextTitle: 'What happens next',
    next: 'As soon as your group is complete, all of you see the first page of the study.',
    callMe: 'Call me when it starts',
    callMeWhy: 'A sound and a message from your browser, so that you can do something else meanwhile.',
    called: 'We’ll call you with a sound. Keep this tab open.',
    /** Groups that are too large to draw every seat. */
    lobby: {
      here: (taken: number, of: number) => `${taken} of ${of} people are here.`,
      least: (least: number) => `At the end of the wait, ${least} are enough to start.`,
      start: (clock: string) =>
        `In ${clock} at the latest, the study starts with those who are here, if they are enough.`,
      enough: (clock: string) => `The study starts in ${clock} at the latest.`,
      endBelow: (clock: string, least: number) =>
        `If fewer than ${least} are here in ${clock}, the wait ends, and this page tells you how to go on.`,
      end: (clock: string) =>
        `If the group is not complete in ${clock}, the wait ends, and this page tells you how to go on.`,
    },
    longTitle: 'If it takes too long',
    longEnd: (time: string) =>
      `If no group has formed ${time} from now, the wait ends, and this page tells you how to go on.`,
    longStart: (time: string) =>
      `If your group is not complete ${time} from now, the study starts with those who are here, if they are enough.`,
    longGoOn: (time: string) =>
      `If no group has formed ${time} from now, you go on with another part of the study.`,
    long: 'You can stop waiting at any time.',
    started: 'Your group has started',
    startedMessage: 'The others are waiting for you.',
    again: 'Wait again',
    /** Between two parts of a study. */
    later: {
      heading: 'You have finished this part',
      title: 'The study goes on in a group.',
      enough: 'Enough people are here. The study goes on when the group is full or the waiting time ends.',
      noCapacity: 'Your group is complete. The study goes on as soon as there is room for it.',
      next: 'As soon as your group is complete, all of you go on with the next part.',
      longStart: (time: string) =>
        `If your group is not complete ${time} from now, the next part starts with those who are here, if they are enough.`,
      keepOpen:
        'Please keep this page open. The next part will start automatically. Your answers so far are saved.',
    },
    stop: {
      title: 'Stop waiting?',
      message: 'You give up your place in the group, and somebody else may take it.',
      stay: 'Keep waiting',
      confirm: 'Stop waiting',
    },
  },

  decline: {
    title: 'You don’t want to take part?',
    message: 'The study then ends here for you.',
    stay: 'Go back',
    confirm: 'I do not want to take part',
  },

  home: {
    lead: 'Take part in research. Choose a study that suits you.',
    minutes: (count: number) =>
      plurals.pick(count, { one: 'About a minute', other: `About ${count} minutes` }),
    alone: 'On your own',
    together: (count: number) => `Together with ${count === 2 ? 'one other person' : `${count - 1} others`}`,
    between: (min: number, max: number) => `In a group of ${min} to ${max}`,
    open: 'Take part',
    noneTitle: 'Nothing to take part in right now',
  },
}
