import type { pages as english } from '../en/participant-pages.ts'
import { createPlurals } from '../plurals.ts'

const plurals = createPlurals('de')
const list = (names: readonly string[]) => new Intl.ListFormat('de').format(names)

const checkLink =
  'Der Link ist möglicherweise unvollständig. Bitte prüfen Sie ihn oder fragen Sie die Person, die ihn Ihnen geschickt hat.'
const tryAgain = 'Erneut versuchen'
const noGroup =
  'Wir konnten nicht rechtzeitig genug Personen für Ihre Gruppe finden. Vielen Dank fürs Warten.'

export const pages: typeof english = {
  loading: 'Wird geladen …',

  nothingHere: {
    title: 'Seite nicht gefunden',
    message: checkLink,
    toStudies: 'Offene Studien ansehen',
  },

  studies: {
    title: 'Studien',
    loading: 'Studien werden geladen …',
    none: 'Zurzeit ist keine Studie offen. Bitte schauen Sie später wieder vorbei.',
    placesLeft: (count) => plurals.count(count, { one: 'freier Platz', other: 'freie Plätze' }),
    forResearchers: 'Für Forschende',
    tryAgain,
  },

  consent: {
    title: 'Bevor Sie beginnen',
    defaultText: 'Sind Sie damit einverstanden, an dieser Studie teilzunehmen?',
    sendsTextToModels:
      'In dieser Studie wird das, was Sie schreiben und auswählen, an ein Sprachmodell gesendet: ein Computerprogramm, das an der Studie teilnimmt.',
  },

  waiting: {
    title: 'Warten auf weitere Teilnehmende',
    joining: 'Sie betreten den Warteraum …',
    connectionLost:
      'Die Verbindung ist unterbrochen. Wir versuchen es weiter und halten Ihren Platz für einen Moment frei.',
    unavailable:
      'Die Studie ist im Moment nicht erreichbar. Wir versuchen es weiter; Sie können hier bleiben.',
    keepOpen: 'Bitte lassen Sie diese Seite geöffnet. Die Studie beginnt von selbst.',
    stop: 'Nicht länger warten',
    waited: 'Bisherige Wartezeit',
    aboutMinutes: (count) => plurals.pick(count, { one: 'etwa eine Minute', other: `etwa ${count} Minuten` }),
    groupComplete: 'Ihre Gruppe ist vollständig.',
    enough:
      'Es sind genug Personen da. Die Studie beginnt, sobald die Gruppe voll ist oder die Wartezeit endet.',
    noCapacity: 'Ihre Gruppe ist vollständig. Die Studie beginnt, sobald Platz für sie ist.',
  },

  room: {
    connectionLost:
      'Die Verbindung ist unterbrochen. Wir versuchen es weiter. Es ist nichts verloren gegangen.',
    unavailable:
      'Die Studie kann im Moment nichts entgegennehmen. Das liegt nicht an Ihnen. Wir versuchen es weiter, und was Sie gesendet haben, ist nicht verloren.',
    paused: 'Die Studie ist angehalten. Sie geht von selbst weiter.',
    away: (names) =>
      `${list(names)} ${plurals.pick(names.length, { one: 'hat', other: 'haben' })} die Verbindung verloren.`,
    dropped: (names) =>
      `${list(names)} ${plurals.pick(names.length, { one: 'ist', other: 'sind' })} seit einer Weile nicht da. Die Studie geht weiter, ohne zu warten.`,
    gone: (names) =>
      `${list(names)} ${plurals.pick(names.length, { one: 'nimmt', other: 'nehmen' })} nicht mehr teil.`,
    seated: (names) =>
      `${list(names)} ${plurals.pick(names.length, { one: 'ist', other: 'sind' })} dazugekommen.`,
    absentInCrowd: (absent, of) =>
      `${absent} von ${of} Personen ${plurals.pick(absent, { one: 'ist', other: 'sind' })} gerade nicht da.`,
    agentsInCrowd: (agents, of) =>
      `${agents} von ${of} Teilnehmenden ${plurals.pick(agents, { one: 'ist ein Agent', other: 'sind Agenten' })}.`,
    agent: 'Agent',
    company: 'Mit Ihnen nehmen teil:',
    throughout: 'Während der ganzen Studie zu sehen',
    leave: {
      open: 'Studie verlassen',
      title: 'Studie verlassen?',
      message: 'Sie können danach nicht zurückkehren. Ihre bisherigen Antworten bleiben erhalten.',
      stay: 'Bleiben',
      confirm: 'Verlassen',
    },
  },

  state: {
    othersBusy: 'Die anderen Teilnehmenden haben gerade etwas zu tun. Die Studie geht von selbst weiter.',
    pleaseWait: 'Bitte warten',
    round: (round, rounds) => `Runde ${round} von ${rounds}`,
    continue: 'Weiter',
    submit: 'Absenden',
    appeared: (count) =>
      plurals.pick(count, {
        one: 'Eine Frage ist dazugekommen.',
        other: `${count} Fragen sind dazugekommen.`,
      }),
    contentAppeared: 'Auf dieser Seite ist etwas dazugekommen.',
    choicesAppeared: (count) =>
      plurals.pick(count, {
        one: 'Bei einer Frage gibt es jetzt mehr zur Auswahl.',
        other: `Bei ${count} Fragen gibt es jetzt mehr zur Auswahl.`,
      }),
    saved: 'Gespeichert. Die Studie geht weiter, sobald alle bereit sind.',
    readyOf: (ready, of) =>
      `${ready} von ${of} ${plurals.pick(ready, { one: 'ist', other: 'sind' })} bereit.`,
  },

  problems: {
    doThisFirst: 'Bitte erledigen Sie dies, bevor Sie weitergehen.',
    unanswered: 'Bitte beantworten Sie diese Frage.',
    numberBetween: (min, max) => `Bitte geben Sie eine Zahl von ${min} bis ${max} ein.`,
    number: 'Bitte geben Sie eine gültige Zahl ein.',
    email: 'Bitte geben Sie eine E-Mail-Adresse ein.',
    textLength: 'Ihre Antwort ist zu kurz oder zu lang.',
    choose: (count) => `Bitte wählen Sie ${count} aus.`,
    chooseBetween: (min, max) => `Bitte wählen Sie ${min} bis ${max} aus.`,
    chooseAtLeast: (min) => `Bitte wählen Sie mindestens ${min} aus.`,
    everyRow: 'Bitte beantworten Sie jede Zeile.',
    incomplete: 'Bitte vervollständigen Sie Ihre Antwort.',
    notSent: 'Das konnte nicht gesendet werden. Bitte versuchen Sie es gleich noch einmal.',
  },

  refusals: {
    RATE_LIMITED: 'Das waren zu viele Anfragen. Bitte warten Sie einen Moment.',
    UNAVAILABLE: 'Der Dienst ist vorübergehend nicht verfügbar. Bitte versuchen Sie es gleich noch einmal.',
    QUOTA_EXCEEDED: 'Die Studie kann keine weiteren Daten annehmen. Sie können sie trotzdem abschließen.',
    ROOM_PAUSED: 'Die Studie ist gerade angehalten.',
    ROOM_ENDED: 'Die Studie ist beendet.',
    ACTION_REFUSED: 'Das geht im Moment nicht.',
    NOT_SHOWN: 'Diese Frage wird Ihnen gerade nicht gestellt.',
    VALIDATION_FAILED: 'Diese Antwort passt nicht zur Frage.',
    SESSION_EXPIRED: 'Ihre Sitzung ist abgelaufen. Bitte laden Sie die Seite neu.',
    SESSION_INVALID: 'Ihre Sitzung ist nicht mehr gültig. Bitte laden Sie die Seite neu.',
    NOT_FINISHED: 'Sie haben das Ende der Studie noch nicht erreicht.',
  },

  finishing: {
    title: 'Ihre Antworten werden gespeichert',
    keepOpen: 'Ihre Antworten werden gespeichert. Bitte lassen Sie diese Seite geöffnet.',
    slow: (problem) => `Das dauert länger als sonst. Wir versuchen es weiter. (${problem})`,
  },

  /** For colleagues who follow the link of a try. */
  tryNote: 'Sie probieren eine Studie aus. Alles, was Sie eingeben, wird nach einem Tag gelöscht.',

  preview: {
    title: 'Vorschau',
    message: 'Dies ist eine Vorschau der Studie. Bitte nehmen Sie den HIT an, um teilzunehmen.',
    next: 'Sobald Sie ihn angenommen haben, öffnet sich diese Seite erneut und die Studie beginnt. Was Sie hier tun, wird nicht aufgezeichnet.',
  },

  done: {
    title: 'Ende der Studie',
    earned: (amount: string) => `Sie haben ${amount} verdient.`,
    earnedIn: (rounds: string, count: number) =>
      count === 1
        ? `Für Ihre Auszahlung wurde Runde ${rounds} gezogen.`
        : `Für Ihre Auszahlung wurden die Runden ${rounds} gezogen.`,
    code: 'Ihr Code:',
    copy: 'Kopieren',
    copied: 'Kopiert',
    redirecting: 'Sie werden zurückgeleitet …',
    goBack: 'Jetzt zurückgehen',
    mayClose: 'Sie können diese Seite jetzt schließen.',
    removed: 'Die Forschenden haben Ihre Teilnahme beendet. Vielen Dank für Ihre Teilnahme.',
    noCode: (site: string) =>
      `Dafür gibt es keinen Abschlusscode. Sie können Ihre Teilnahme bei ${site} zurückgeben oder den Forschenden dort schreiben.`,
    toSite: (site: string) => `Zu ${site}`,
    withdrawal: {
      title: 'Ihre Daten',
      explain: {
        identity:
          'Sie können verlangen, dass niemand mehr erkennen kann, welche Antworten von Ihnen stammen. Ihre Antworten bleiben in der Studie. Das lässt sich nicht rückgängig machen.',
        all: 'Sie können Ihre Teilnahme widerrufen: Ihre Antworten und alles, was über Sie gespeichert ist, werden gelöscht. Ergebnisse Ihrer Gruppe, die daraus berechnet wurden, bleiben ohne Sie erhalten. Das lässt sich nicht rückgängig machen.',
      },
      until: 'Das geht innerhalb eines Tages nach Beginn; danach fragen Sie bitte die Forschenden.',
      keepCode:
        'Falls Sie oben einen Code sehen, notieren Sie ihn bitte zuerst: Die Studie kennt ihn danach nicht mehr.',
      ask: { identity: 'Meine Identität entfernen', all: 'Meine Daten löschen' },
      confirm: { identity: 'Ja, meine Identität entfernen', all: 'Ja, meine Daten löschen' },
      cancel: 'Behalten',
      done: {
        identity: 'Niemand kann mehr erkennen, welche Antworten von Ihnen stammen.',
        all: 'Ihre Daten sind gelöscht.',
      },
      failed: 'Das hat nicht funktioniert. Bitte versuchen Sie es gleich noch einmal.',
    },
    outcomes: {
      SUCCESS: 'Sie haben die Studie abgeschlossen. Vielen Dank für Ihre Teilnahme.',
      NO_CONSENT:
        'Sie haben der Teilnahme nicht zugestimmt, deshalb endet die Studie hier. Vielen Dank für Ihre Zeit.',
      SCREENED_OUT: 'Sie können an dieser Studie nicht weiter teilnehmen. Vielen Dank für Ihre Zeit.',
      screened_out: 'Sie können an dieser Studie nicht teilnehmen. Vielen Dank für Ihr Interesse.',
      TIMEOUT:
        'Die Zeit für diese Studie ist abgelaufen. Ihre Antworten sind gespeichert. Vielen Dank für Ihre Teilnahme.',
      NOT_MATCHED: noGroup,
      deadline: noGroup,
      closed: 'Die Studie wurde geschlossen, bevor Ihre Gruppe vollständig war. Vielen Dank fürs Warten.',
      left: 'Sie haben das Warten beendet. Vielen Dank für Ihre Zeit.',
      full: 'Sie sind gegangen, und seitdem wurden alle Plätze vergeben. Vielen Dank für Ihr Interesse.',
      ABANDONED: 'Sie haben die Studie verlassen. Ihre bisherigen Antworten sind gespeichert.',
      PARTNER_LEFT:
        'Eine andere Person ist gegangen, deshalb konnte die Studie nicht weitergehen. Vielen Dank für Ihre Teilnahme.',
      QUOTA_FULL: 'Alle Plätze in dieser Studie sind vergeben. Vielen Dank für Ihr Interesse.',
      STUDY_CLOSED: 'Diese Studie ist zurzeit nicht offen. Vielen Dank für Ihr Interesse.',
      TECHNICAL:
        'Ihre Teilnahme wurde vorzeitig beendet, durch die Forschenden oder aus einem technischen Grund. Vielen Dank für Ihre Teilnahme.',
    },
    otherOutcome: 'Ihr Teil dieser Studie ist beendet. Vielen Dank für Ihre Teilnahme.',
  },

  stopped: {
    tryAgain,
    whatNow: 'Sie können diese Seite schließen oder an einer anderen Studie teilnehmen.',
    full: {
      title: 'Diese Studie ist voll',
      message: 'Alle Plätze sind vergeben. Vielen Dank für Ihr Interesse.',
    },
    alreadyCompleted: {
      title: 'Sie haben an dieser Studie bereits teilgenommen',
      message:
        'Sie können nur einmal teilnehmen. Vielen Dank für Ihre Teilnahme. Falls Sie Ihren Code brauchen, öffnen Sie diesen Link in dem Browser, in dem Sie die Studie beendet haben.',
    },
    notOpen: {
      title: 'Diese Studie ist nicht offen',
      message: 'Sie nimmt zurzeit keine Teilnehmenden auf.',
    },
    unreachable: {
      title: 'Wir erreichen die Studie nicht',
      message: 'Bitte prüfen Sie Ihre Verbindung. Es ist nichts verloren gegangen.',
    },
    notFound: { title: 'Studie nicht gefunden', message: checkLink },
    unknownRoom: {
      title: 'Das ist nicht Ihr Raum',
      message: 'Bitte verwenden Sie den Link, den Sie für die Studie erhalten haben.',
    },
    otherTab: {
      title: 'Die Studie ist in einem anderen Tab geöffnet',
      message:
        'Sie ist in einem anderen Tab oder auf einem anderen Gerät geöffnet. Sie können stattdessen hier weitermachen.',
      remedy: 'Hier weitermachen',
    },
    broken: {
      title: 'Diese Seite funktioniert nicht mehr',
      message:
        'Ihre bisherigen Antworten sind gespeichert. Bitte laden Sie die Seite neu, um dort weiterzumachen, wo Sie aufgehört haben.',
      remedy: 'Seite neu laden',
    },
    unexpected: 'Etwas ist schiefgegangen',
    cannotTakePart: 'Sie können im Moment nicht teilnehmen',
    notCompleted: {
      title: 'Die Studie konnte nicht abgeschlossen werden',
      message: (problem) => `Bitte teilen Sie den Forschenden mit: ${problem}`,
    },
  },
}
