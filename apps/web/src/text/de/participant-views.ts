import type { views as english } from '../en/participant-views.ts'
import { createPlurals } from '../plurals.ts'

const plurals = createPlurals('de')

const tellResearchers = 'Bitte teilen Sie das den Forschenden mit.'
const thisOne = { video: 'Dieses Video', audio: 'Diese Audioaufnahme' }
const theOne = { video: 'Das Video', audio: 'Die Audioaufnahme' }
const numeral = (isWhole: boolean) => (isWhole ? 'Eine ganze Zahl' : 'Eine Zahl')
const inSeconds = (seconds: number) => plurals.count(seconds, { one: 'Sekunde', other: 'Sekunden' })

export const views: typeof english = {
  unknown: {
    title: 'Dieser Teil der Studie kann nicht angezeigt werden.',
    message: (id, type) =>
      `Bitte teilen Sie das den Forschenden mit und nennen Sie „${id}“ (${type}). Der Rest der Seite funktioniert weiterhin.`,
    notLoaded:
      'Dieser Teil konnte nicht geladen werden. Bitte laden Sie die Seite neu. Was Sie eingegeben haben, bleibt erhalten.',
  },

  question: {
    optional: '(freiwillig)',
    clear: 'Meine Antwort löschen',
    count: (length, max) => `${length} von ${max}`,
    countOver: (length, max) => `${length} von ${max} – zu lang`,
  },

  scale: {
    untouched: 'Klicken oder tippen Sie auf die Linie, um zu antworten.',
    noAnswer: 'noch keine Antwort',
  },

  ranking: {
    hint: 'Das Beste zuerst. Verwenden Sie die Pfeile, oder ziehen Sie.',
    hintFixed: 'Das Beste zuerst.',
    keep: 'Diese Reihenfolge behalten',
    moved: (label, place, of) => `${label} ist jetzt Nummer ${place} von ${of}`,
    moveUp: (label) => `${label} nach oben`,
    moveDown: (label) => `${label} nach unten`,
  },

  choice: {
    other: 'Anderes',
    ownAnswer: 'Ihre eigene Antwort',
    right: '✓ Richtig.',
    wrong: '✗ Falsch.',
    exactly: (count) => `Wählen Sie ${count} aus.`,
    between: (min, max) => `Wählen Sie ${min} bis ${max} aus.`,
    atLeast: (min) => `Wählen Sie mindestens ${min} aus.`,
    upTo: (max) => `Wählen Sie höchstens ${max} aus.`,
    allThatApply: 'Wählen Sie alles aus, was zutrifft.',
  },

  matrix: {
    severalPerRow: 'Sie können in jeder Zeile mehrere Antworten auswählen.',
    rowsMayStayEmpty: 'Sie können Zeilen leer lassen.',
    rowMissing: '! Noch nicht beantwortet',
  },

  textInput: {
    wholeNumber: 'Eine ganze Zahl.',
    numberBetween: (isWhole, min, max) => `${numeral(isWhole)} von ${min} bis ${max}.`,
    numberFrom: (isWhole, min) => `${numeral(isWhole)}, mindestens ${min}.`,
    numberUpTo: (isWhole, max) => `${numeral(isWhole)}, höchstens ${max}.`,
    inSteps: (step) => `In Schritten von ${step}.`,
    decimalPlaces: (places) => `Höchstens ${places} Nachkommastellen.`,
    lengthBetween: (min, max) => `${min} bis ${max} Zeichen.`,
    lengthFrom: (min) => `Mindestens ${min} Zeichen.`,
    lengthUpTo: (max) => `Höchstens ${max} Zeichen.`,
  },

  consent: {
    file: 'Diese Informationen herunterladen',
    agree: 'Ich stimme zu',
    decline: 'Ich stimme nicht zu',
    agreed: '✓ Sie haben zugestimmt.',
    declined: 'Sie haben nicht zugestimmt.',
    inSeconds: (seconds) => `Sie können in ${inSeconds(seconds)} zustimmen.`,
    onceRead: 'Sie können zustimmen, sobald Sie bis zum Ende gelesen haben.',
    inSecondsOnceRead: (seconds) =>
      `Sie können in ${inSeconds(seconds)} zustimmen, sobald Sie bis zum Ende gelesen haben.`,
  },

  check: {
    attemptsLeft: (left) =>
      plurals.pick(left, {
        one: 'Sie haben noch einen Versuch.',
        other: `Sie haben noch ${left} Versuche.`,
      }),
    notRightYet: 'Noch nicht richtig.',
    someWrong: (attemptsLeft) =>
      `✗ Noch sind nicht alle Antworten richtig. ${attemptsLeft} Sie können zurückgehen und die Anleitung noch einmal lesen.`,
    passed: '✓ Alle Antworten sind richtig.',
    failed: 'Nicht alle Antworten waren richtig, und Sie haben keinen Versuch mehr.',
    submit: 'Antworten prüfen',
    chooseAllRight: 'Wählen Sie alle richtigen Antworten aus.',
  },

  instructions: {
    back: 'Zurück',
    next: 'Nächste Seite',
    toQuestions: 'Zu den Fragen',
    questions: 'Fragen',
    page: (page, of) => `Seite ${page} von ${of}`,
  },

  media: {
    label: { video: 'Video', audio: 'Audio' },
    noAddress: (kind) =>
      `${thisOne[kind]} kann nicht abgespielt werden: Die Adresse fehlt. ${tellResearchers}`,
    noUpload: (kind, uploadId) =>
      `${thisOne[kind]} kann nicht abgespielt werden: Der Upload „${uploadId}“ ist hier nicht verfügbar. ${tellResearchers}`,
    unsupported: (kind) =>
      `Dieser Browser kann ${theOne[kind].replace(/^D/, 'd')} nicht abspielen. Bitte öffnen Sie die Studie in einem anderen, etwa Chrome, Edge, Firefox oder Safari.`,
    notLoaded: (kind) => `${theOne[kind]} konnte nicht geladen werden. Bitte prüfen Sie Ihre Verbindung.`,
    ended: (kind) => `${theOne[kind]} ist zu Ende.`,
    paused: 'Angehalten.',
    loading: 'Wird geladen …',
    loadingPart: (share) => `Wird geladen … ${Math.round(share * 100)} %`,
    loadingAhead: (share) => `Was als Nächstes kommt, wird geladen … ${Math.round(share * 100)} %`,
    waitingForOthers: 'Warten auf die anderen …',
    ratingAwaited: 'Bitte geben Sie Ihre Bewertung ab, um fortzufahren.',
    start: 'Starten',
    continue: 'Fortsetzen',
    tryAgain: 'Erneut versuchen',
    sendAgain: 'Noch einmal senden',
    progress: 'Fortschritt der Wiedergabe',
    conduct: {
      label: 'Wiedergabe für alle',
      play: 'Für alle abspielen',
      pause: 'Für alle anhalten',
      position: 'Position für alle',
    },
  },

  rating: {
    toCome: 'Hier werden Sie um eine Bewertung gebeten.',
    allGiven: 'Vielen Dank. Sie haben alle Bewertungen abgegeben.',
    askedNow: 'Bitte geben Sie jetzt eine Bewertung ab',
    submit: 'Bewertung absenden',
    start:
      'Klicken oder tippen Sie auf die Linie, um zu beginnen, und bewegen Sie den Regler, sobald sich Ihre Antwort ändert.',
    startWithMedia:
      'Klicken oder tippen Sie auf die Linie, um zu beginnen, und bewegen Sie den Regler während der Wiedergabe.',
    notSaved: (problem) => `Ihre Bewertung ist noch nicht gespeichert. Wir versuchen es weiter. ${problem}`,
  },

  chat: {
    title: 'Chat',
    empty: 'Noch keine Nachrichten.',
    toNewest: '↓ Neueste Nachrichten',
    message: 'Ihre Nachricht',
    send: 'Senden',
    you: 'Sie',
    researchers: 'Die Forschenden',
  },

  clock: {
    label: 'Zeit',
    noLimit: 'Keine Zeitbegrenzung',
  },

  progress: {
    label: 'Fortschritt in der Studie',
    step: (step, of, label = 'Schritt') => `${label} ${step} von ${of}`,
  },

  image: {
    notLoaded: 'Das Bild konnte nicht geladen werden.',
    shows: (alt) => `Es zeigt: ${alt}`,
    goOnWithout: 'Ohne diese Frage fortfahren',
    wentOn: 'Sie können fortfahren. Diese Frage bleibt unbeantwortet.',
  },

  customHtml: {
    title: (id) => `Interaktiver Inhalt „${id}“`,
    notJson: 'Die Antwort ist kein JSON-Wert.',
  },
}
