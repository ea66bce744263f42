import type { frame as english } from '../en/participant-frame.ts'
import { createPlurals } from '../plurals.ts'

const plurals = createPlurals('de')

export const frame: typeof english = {
  product: 'Atrium',
  notices: 'Hinweise',
  leave: 'Verlassen',
  timeLeft: 'Verbleibende Zeit',
  remaining: (time) => `Noch ${time}`,
  step: (step, of) => `Schritt ${step} von ${of}`,

  waitingRoom: {
    title: 'Sie sind dabei.',
    needed: (count) =>
      plurals.pick(count, {
        one: 'Wir warten noch auf eine Person.',
        other: `Wir warten noch auf ${count} Personen.`,
      }),
    seats: (taken, of) => `${taken} von ${of} Plätzen sind besetzt.`,
    estimate: (time) => `Von jetzt an dauert es meist ${time}.`,
    noEstimate: 'Wir können noch nicht sagen, wie lange es dauert.',
    soon: 'Es müsste jeden Moment losgehen.',
    nextTitle: 'Wie es weitergeht',
    next: 'Sobald Ihre Gruppe vollständig ist, sehen Sie alle die erste Seite der Studie.',
    callMe: 'Rufen Sie mich, wenn es losgeht',
    callMeWhy: 'Mit einem Ton und einer Meldung Ihres Browsers, damit Sie solange etwas anderes tun können.',
    called: 'Wir rufen Sie mit einem Ton. Lassen Sie diesen Tab geöffnet.',
    lobby: {
      here: (taken, of) => `${taken} von ${of} Personen sind da.`,
      least: (least) => `Am Ende der Wartezeit genügen ${least}, um zu beginnen.`,
      start: (clock) =>
        `Spätestens in ${clock} beginnt die Studie mit denen, die da sind, falls es genug sind.`,
      enough: (clock) => `Die Studie beginnt spätestens in ${clock}.`,
      endBelow: (clock, least) =>
        `Wenn in ${clock} weniger als ${least} da sind, endet das Warten, und diese Seite sagt Ihnen, wie es weitergeht.`,
      end: (clock) =>
        `Wenn die Gruppe in ${clock} nicht vollständig ist, endet das Warten, und diese Seite sagt Ihnen, wie es weitergeht.`,
    },
    longTitle: 'Wenn es zu lange dauert',
    longEnd: (time) =>
      `Wenn sich in ${time} keine Gruppe gefunden hat, endet das Warten, und diese Seite sagt Ihnen, wie es weitergeht.`,
    longStart: (time) =>
      `Wenn Ihre Gruppe in ${time} nicht vollständig ist, beginnt die Studie mit denen, die da sind, falls es genug sind.`,
    longGoOn: (time) =>
      `Wenn sich in ${time} keine Gruppe gefunden hat, geht es für Sie mit einem anderen Teil der Studie weiter.`,
    long: 'Sie können jederzeit aufhören zu warten.',
    started: 'Ihre Gruppe hat begonnen',
    startedMessage: 'Die anderen warten auf Sie.',
    again: 'Wieder warten',
    later: {
      heading: 'Dieser Teil ist geschafft',
      title: 'Die Studie geht in einer Gruppe weiter.',
      enough:
        'Es sind genug Personen da. Es geht weiter, sobald die Gruppe voll ist oder die Wartezeit endet.',
      noCapacity: 'Ihre Gruppe ist vollständig. Es geht weiter, sobald Platz für sie ist.',
      next: 'Sobald Ihre Gruppe vollständig ist, geht es für Sie alle mit dem nächsten Teil weiter.',
      longStart: (time) =>
        `Wenn Ihre Gruppe in ${time} nicht vollständig ist, beginnt der nächste Teil mit denen, die da sind, falls es genug sind.`,
      keepOpen:
        'Bitte lassen Sie diese Seite geöffnet. Der nächste Teil beginnt von selbst. Ihre bisherigen Antworten sind gespeichert.',
    },
    stop: {
      title: 'Nicht länger warten?',
      message: 'Sie geben Ihren Platz in der Gruppe auf; jemand anderes kann ihn einnehmen.',
      stay: 'Weiter warten',
      confirm: 'Nicht länger warten',
    },
  },

  decline: {
    title: 'Sie möchten nicht teilnehmen?',
    message: 'Dann endet die Studie hier für Sie.',
    stay: 'Zurück',
    confirm: 'Ich möchte nicht teilnehmen',
  },

  home: {
    lead: 'Nehmen Sie an Forschung teil. Wählen Sie eine Studie, die zu Ihnen passt.',
    minutes: (count) => plurals.pick(count, { one: 'Etwa eine Minute', other: `Etwa ${count} Minuten` }),
    alone: 'Für Sie allein',
    together: (count) => (count === 2 ? 'Mit einer weiteren Person' : `Mit ${count - 1} anderen`),
    between: (min, max) => `In einer Gruppe von ${min} bis ${max}`,
    open: 'Teilnehmen',
    noneTitle: 'Zurzeit gibt es nichts, woran Sie teilnehmen können',
  },
}
