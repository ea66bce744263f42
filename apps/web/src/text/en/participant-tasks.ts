import { createPlurals } from '../plurals.ts'
import { createTaskFormats } from '../task-formats.ts'

const plurals = createPlurals('en')
const { inWords, size, anyOf } = createTaskFormats('en')

export const tasks = {
  date: {
    between: (min: string, max: string) => `From ${inWords(min)} to ${inWords(max)}.`,
    from: (min: string) => `${inWords(min)} or later.`,
    upTo: (max: string) => `${inWords(max)} or earlier.`,
    howToFix: 'Please enter a date in this range.',
  },

  dropdown: { placeholder: 'Choose …' },

  reaction: {
    explain: (trials: number, keys: readonly string[]) =>
      `${plurals.count(trials, { one: 'trial', other: 'trials' })}. React with ${anyOf(keys)}, as fast as you can without mistakes.`,
    start: 'Start',
    tryAgain: 'Try again',
    sendAgain: 'Send again',
    notLoaded: 'The pictures could not be loaded. Please check your connection.',
    saving: 'Saving …',
    done: '✓ Done.',
    count: (trial: number, of: number) => `Trial ${trial} of ${of}`,
    space: 'Space',
    feedback: { right: '✓ Correct', wrong: '✗ Wrong', late: 'Too late' },
  },

  jspsych: {
    title: 'Task',
    explain: 'Several short parts follow each other. Please stay until the end.',
    goOn: 'It goes on where you stopped.',
    notLoaded: 'This task could not be loaded. Please check your connection.',
  },

  files: {
    hint: (maxBytes: number) => `Up to ${size(maxBytes)}.`,
    upTo: (time: string) => `Up to ${time}.`,
    uploading: 'Uploading … Please keep this page open.',
    stored: (name: string, bytes: number) => `✓ ${name} (${size(bytes)}) is ready to be sent.`,
    empty: 'This file is empty. Please choose another one.',
    tooLarge: (maxBytes: number) => `This file is too large. Please choose one of up to ${size(maxBytes)}.`,
    wrongType: 'This kind of file is not accepted here. Please choose another one.',
    record: 'Record',
    recordAgain: 'Record again',
    stop: 'Stop recording',
    keep: 'Use this recording',
    kept: '✓ Your recording is ready to be sent.',
    playback: 'Your recording',
    asking: 'Your browser asks whether this page may use the microphone. Please allow it.',
    unavailable: {
      refused:
        'The microphone is blocked. Please allow it in the settings of your browser, next to the address of this page, and try again.',
      missing: 'No microphone was found. Please connect one and try again.',
      unsupported: 'This browser cannot record sound here. Please open the study in another one.',
    },
  },
}
