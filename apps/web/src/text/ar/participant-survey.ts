import type { survey as english } from '../en/participant-survey.ts'

export const survey: typeof english = {
  constantSum: {
    hint: (total) => `أعداد صحيحة مجموعها ${total}.`,
    left: (amount) => `المتبقي: ${amount}`,
    over: (amount) => `زيادة قدرها ${amount}`,
    complete: '✓ تم توزيع كل شيء.',
    given: (amount, of) => `${amount} من ${of}`,
    howToFix: (sum, total) => `مجموع أعدادك ${sum}. يجب أن يكون المجموع ${total}.`,
    noNumber: 'يرجى إدخال أعداد صحيحة فقط.',
    each: (min, max) => `يرجى إعطاء كل عنصر ما بين ${min} و${max}.`,
  },
}
