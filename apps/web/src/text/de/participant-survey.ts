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
}
