import type { tasks as english } from '../en/participant-tasks.ts'
import { createPlurals } from '../plurals.ts'

const plurals = createPlurals('de')
const day = new Intl.DateTimeFormat('de', { dateStyle: 'long', timeZone: 'UTC' })
const anyOf = new Intl.ListFormat('de', { type: 'disjunction' })
const inWords = (date: string): string => day.format(new Date(`${date}T00:00:00Z`))

export const tasks: typeof english = {
  date: {
    between: (min, max) => `Vom ${inWords(min)} bis zum ${inWords(max)}.`,
    from: (min) => `Ab dem ${inWords(min)}.`,
    upTo: (max) => `Bis zum ${inWords(max)}.`,
    howToFix: 'Bitte geben Sie ein Datum in diesem Zeitraum ein.',
  },

  dropdown: { placeholder: 'Bitte auswählen …' },

  reaction: {
    explain: (trials, keys) =>
      `${plurals.count(trials, { one: 'Durchgang', other: 'Durchgänge' })}. Reagieren Sie mit ${anyOf.format(keys)}, so schnell Sie ohne Fehler können.`,
    start: 'Los',
    tryAgain: 'Erneut versuchen',
    sendAgain: 'Erneut senden',
    notLoaded: 'Die Bilder konnten nicht geladen werden. Bitte prüfen Sie Ihre Verbindung.',
    saving: 'Wird gespeichert …',
    done: '✓ Geschafft.',
    count: (trial, of) => `Durchgang ${trial} von ${of}`,
    space: 'Leertaste',
    feedback: { right: '✓ Richtig', wrong: '✗ Falsch', late: 'Zu spät' },
  },
}
