import { createPlurals } from '../plurals.ts'

const plurals = createPlurals('en')

type Media = 'video' | 'audio'

const tellResearchers = 'Please tell the researchers.'

/** What the views of components add to the texts of the study. */
export const views = {
  unknown: {
    title: 'This part of the study cannot be shown.',
    message: (id: string, type: string) =>
      `Please tell the researchers, and mention “${id}” (${type}). The rest of the page still works.`,
    notLoaded: 'This part could not be loaded. Please reload the page. What you have entered is kept.',
  },

  question: {
    optional: '(optional)',
    clear: 'Clear my answer',
    count: (length: number, max: number) => `${length} of ${max}`,
    countOver: (length: number, max: number) => `${length} of ${max} – too long`,
  },

  scale: {
    untouched: 'Click or tap the line to answer.',
    noAnswer: 'no answer yet',
  },

  ranking: {
    hint: 'Best first. Use the arrows, or drag.',
    hintFixed: 'Best first.',
    keep: 'Keep this order',
    moved: (label: string, place: number, of: number) => `${label} is now number ${place} of ${of}`,
    moveUp: (label: string) => `Move ${label} up`,
    moveDown: (label: string) => `Move ${label} down`,
  },

  choice: {
    other: 'Other',
    ownAnswer: 'Your own answer',
    right: '✓ Correct.',
    wrong: '✗ Incorrect.',
    exactly: (count: number) => `Choose ${count}.`,
    between: (min: number, max: number) => `Choose ${min} to ${max}.`,
    atLeast: (min: number) => `Choose at least ${min}.`,
    upTo: (max: number) => `Choose up to ${max}.`,
    allThatApply: 'Choose all that apply.',
  },

  matrix: {
    severalPerRow: 'You can choose several answers in each row.',
    rowsMayStayEmpty: 'You can leave rows empty.',
    rowMissing: '! Not answered yet',
  },

  /** Numbers are written as the participant has to type them. */
  textInput: {
    wholeNumber: 'A whole number.',
    numberBetween: (isWhole: boolean, min: number, max: number) =>
      `${isWhole ? 'A whole number' : 'A number'} from ${min} to ${max}.`,
    numberFrom: (isWhole: boolean, min: number) =>
      `${isWhole ? 'A whole number' : 'A number'}, ${min} or more.`,
    numberUpTo: (isWhole: boolean, max: number) =>
      `${isWhole ? 'A whole number' : 'A number'}, ${max} or less.`,
    inSteps: (step: number) => `In steps of ${step}.`,
    decimalPlaces: (places: number) => `Decimal places: up to ${places}.`,
    lengthBetween: (min: number, max: number) => `${min} to ${max} characters.`,
    lengthFrom: (min: number) => `At least ${min} characters.`,
    lengthUpTo: (max: number) => `Up to ${max} characters.`,
  },

  consent: {
    file: 'Download this information',
    agree: 'I agree',
    decline: 'I do not agree',
    agreed: '✓ You agreed.',
    declined: 'You did not agree.',
    inSeconds: (seconds: number) =>
      `You can agree in ${plurals.count(seconds, { one: 'second', other: 'seconds' })}.`,
    onceRead: 'You can agree once you have read to the end.',
    inSecondsOnceRead: (seconds: number) =>
      `You can agree in ${plurals.count(seconds, { one: 'second', other: 'seconds' })}, once you have read to the end.`,
  },

  check: {
    attemptsLeft: (left: number) =>
      plurals.pick(left, { one: 'You have one attempt left.', other: `You have ${left} attempts left.` }),
    notRightYet: 'Not right yet.',
    someWrong: (attemptsLeft: string) =>
      `✗ Not all answers are correct yet. ${attemptsLeft} You can go back and read the instructions again.`,
    passed: '✓ All answers are correct.',
    failed: 'Not all answers were correct, and you have no attempts left.',
    submit: 'Check my answers',
    chooseAllRight: 'Choose all correct answers.',
  },

  instructions: {
    back: 'Back',
    next: 'Next page',
    toQuestions: 'Go to the questions',
    questions: 'Questions',
    page: (page: number, of: number) => `Page ${page} of ${of}`,
  },

  media: {
    label: { video: 'Video', audio: 'Audio' },
    noAddress: (kind: Media) => `This ${kind} cannot be played: it has no address. ${tellResearchers}`,
    noUpload: (kind: Media, uploadId: string) =>
      `This ${kind} cannot be played: the upload “${uploadId}” is not available here. ${tellResearchers}`,
    unsupported: (kind: Media) =>
      `This browser cannot play the ${kind}. Please open the study in another one, such as Chrome, Edge, Firefox or Safari.`,
    notLoaded: (kind: Media) => `The ${kind} could not be loaded. Please check your connection.`,
    ended: (kind: Media) => `The ${kind} has ended.`,
    paused: 'Paused.',
    loading: 'Loading …',
    loadingPart: (share: number) => `Loading … ${Math.round(share * 100)} %`,
    loadingAhead: (share: number) => `Loading what comes next … ${Math.round(share * 100)} %`,
    waitingForOthers: 'Waiting for the others …',
    ratingAwaited: 'Please give your rating to continue.',
    start: 'Start',
    continue: 'Continue',
    tryAgain: 'Try again',
    sendAgain: 'Send again',
    progress: 'Playback progress',
    conduct: {
      label: 'Playback for everyone',
      play: 'Play for everyone',
      pause: 'Pause for everyone',
      position: 'Position for everyone',
    },
  },

  rating: {
    toCome: 'You will be asked for a rating here.',
    allGiven: 'Thank you. You have given all ratings.',
    askedNow: 'Please give a rating now',
    submit: 'Submit rating',
    start: 'Click or tap the line to start, and move the handle whenever your answer changes.',
    startWithMedia: 'Click or tap the line to start, and move the handle while it plays.',
    notSaved: (problem: string) => `Your rating has not been saved yet. We’ll keep trying. ${problem}`,
  },

  chat: {
    title: 'Chat',
    empty: 'No messages yet.',
    toNewest: '↓ Newest messages',
    message: 'Your message',
    send: 'Send',
    you: 'You',
    researchers: 'The researchers',
  },

  clock: {
    label: 'Time',
    noLimit: 'No time limit',
  },

  progress: {
    label: 'Progress through the study',
    step: (step: number, of: number, label = 'Step') => `${label} ${step} of ${of}`,
  },

  image: {
    notLoaded: 'The image could not be loaded.',
    shows: (alt: string) => `It shows: ${alt}`,
    goOnWithout: 'Continue without this question',
    wentOn: 'You can continue. This question stays unanswered.',
  },

  customHtml: {
    title: (id: string) => `Interactive content “${id}”`,
    /** For the researcher’s own page, which sent it. */
    notJson: 'The response is not a JSON value.',
  },
}
