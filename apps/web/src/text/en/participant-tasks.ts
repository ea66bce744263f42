import { createPlurals } from '../plurals.ts'

const plurals = createPlurals('en')
const day = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' })
const anyOf = new Intl.ListFormat('en', { type: 'disjunction' })

/** `2026-05-17` in words. */
const inWords = (date: string): string => day.format(new Date(`${date}T00:00:00Z`))

/** What the views of tasks and rarer questions add to the texts of the study. */
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
      `${plurals.count(trials, { one: 'trial', other: 'trials' })}. React with ${anyOf.format(keys)}, as fast as you can without mistakes.`,
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
}
