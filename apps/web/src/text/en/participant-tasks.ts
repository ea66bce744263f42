const day = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' })

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
}
