import type { tasks as english } from '../en/participant-tasks.ts'
import { createPlurals } from '../plurals.ts'
import { createTaskFormats } from '../task-formats.ts'

const plurals = createPlurals('de')
const { inWords, size, anyOf } = createTaskFormats('de')

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
      `${plurals.count(trials, { one: 'Durchgang', other: 'Durchgänge' })}. Reagieren Sie mit ${anyOf(keys)}, so schnell Sie ohne Fehler können.`,
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

  jspsych: {
    title: 'Aufgabe',
    explain: 'Mehrere kurze Teile folgen aufeinander. Bitte bleiben Sie bis zum Ende dabei.',
    goOn: 'Es geht dort weiter, wo Sie aufgehört haben.',
    notLoaded: 'Diese Aufgabe konnte nicht geladen werden. Bitte prüfen Sie Ihre Verbindung.',
  },

  files: {
    hint: (maxBytes) => `Höchstens ${size(maxBytes)}.`,
    upTo: (time) => `Höchstens ${time}.`,
    uploading: 'Wird hochgeladen … Bitte lassen Sie diese Seite geöffnet.',
    stored: (name, bytes) => `✓ ${name} (${size(bytes)}) kann gesendet werden.`,
    empty: 'Diese Datei ist leer. Bitte wählen Sie eine andere.',
    tooLarge: (maxBytes) => `Diese Datei ist zu groß. Bitte wählen Sie eine mit höchstens ${size(maxBytes)}.`,
    wrongType: 'Diese Art von Datei wird hier nicht angenommen. Bitte wählen Sie eine andere.',
    record: 'Aufnehmen',
    recordAgain: 'Neu aufnehmen',
    stop: 'Aufnahme beenden',
    keep: 'Diese Aufnahme verwenden',
    kept: '✓ Ihre Aufnahme kann gesendet werden.',
    playback: 'Ihre Aufnahme',
    asking: 'Ihr Browser fragt, ob diese Seite das Mikrofon verwenden darf. Bitte erlauben Sie es.',
    unavailable: {
      refused:
        'Das Mikrofon ist gesperrt. Bitte erlauben Sie es in den Einstellungen Ihres Browsers neben der Adresse dieser Seite und versuchen Sie es erneut.',
      missing: 'Es wurde kein Mikrofon gefunden. Bitte schließen Sie eines an und versuchen Sie es erneut.',
      unsupported:
        'Dieser Browser kann hier keinen Ton aufnehmen. Bitte öffnen Sie die Studie in einem anderen.',
    },
  },
}
