import type { survey as english } from '../en/participant-survey.ts'

export const survey: typeof english = {
  constantSum: {
    hint: (total) => `Ganze Zahlen, die zusammen ${total} ergeben.`,
    left: (amount) => `Noch ${amount} übrig`,
    over: (amount) => `${amount} zu viel`,
    complete: '✓ Alles ist verteilt.',
    given: (amount, of) => `${amount} von ${of}`,
    howToFix: (sum, total) => `Ihre Zahlen ergeben zusammen ${sum}. Sie müssen ${total} ergeben.`,
    noNumber: 'Bitte geben Sie nur ganze Zahlen ein.',
    each: (min, max) => `Bitte geben Sie jeweils mindestens ${min} und höchstens ${max}.`,
  },

  bestWorst: {
    best: 'Am besten',
    worst: 'Am schlechtesten',
    hint: 'Wählen Sie in jeder Spalte eine Möglichkeit.',
    choose: (end, item) => `${end} – ${item}`,
    howToFix: (best, worst) =>
      `Bitte wählen Sie zwei verschiedene aus: eine in der Spalte „${best}“ und eine in der Spalte „${worst}“.`,
  },

  differential: {
    between: (left, right) => `Von ${left} bis ${right}`,
    step: (step, of, pole) => `${step} von ${of}${pole === '' ? '' : `, ${pole}`}`,
  },

  textRows: {
    mayStayEmpty: 'Sie können Zeilen leer lassen.',
    every: (lines) => `Bitte füllen Sie ${lines === 1 ? 'die Zeile' : `alle ${lines} Zeilen`} aus.`,
    tooLong: (max) => `Bitte schreiben Sie höchstens ${max} Zeichen in eine Zeile.`,
  },

  hotSpot: {
    hint: (min, max) =>
      max === 1
        ? 'Markieren Sie eine Stelle im Bild.'
        : `Markieren Sie ${min === max ? min : `${min} bis ${max}`} Stellen im Bild.`,
    picture: (alt, marks) =>
      `Bild zum Markieren${alt === '' ? '' : `: ${alt}`}. Gesetzte Markierungen: ${marks}.`,
    keys: 'Mit der Tastatur: Bewegen Sie das Fadenkreuz mit den Pfeiltasten (mit der Umschalttaste in größeren Schritten), markieren Sie eine Stelle mit der Eingabetaste, und entfernen Sie die letzte Markierung mit der Entf-Taste.',
    place: (x, y) => `${x} % von links, ${y} % von oben`,
    count: (marks) =>
      marks === 0
        ? 'Noch ist keine Stelle markiert.'
        : marks === 1
          ? '1 Stelle ist markiert.'
          : `${marks} Stellen sind markiert.`,
    set: (mark) => `Markierung ${mark} gesetzt`,
    moved: (mark) => `Markierung ${mark} verschoben`,
    removed: (mark) => `Markierung ${mark} entfernt`,
    full: (max) =>
      `Alle ${max} Markierungen sind gesetzt. Entfernen Sie eine, um eine andere Stelle zu markieren.`,
    remove: (mark) => `Markierung ${mark} entfernen`,
    otherWays: 'Ohne Zeigen markieren',
    up: 'Fadenkreuz nach oben bewegen',
    down: 'Fadenkreuz nach unten bewegen',
    left: 'Fadenkreuz nach links bewegen',
    right: 'Fadenkreuz nach rechts bewegen',
    mark: 'Markieren',
    howToFix: (marks, min) =>
      `Bitte markieren Sie mindestens ${min} Stellen im Bild. Bisher markiert: ${marks}.`,
  },
}
