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
}
