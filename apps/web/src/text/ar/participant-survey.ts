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

  bestWorst: {
    best: 'الأفضل',
    worst: 'الأسوأ',
    hint: 'اختر واحدًا في كل عمود.',
    choose: (end, item) => `${end} – ${item}`,
    howToFix: (best, worst) => `يرجى اختيار عنصرين مختلفين: واحد في عمود «${best}» وواحد في عمود «${worst}».`,
  },

  differential: {
    between: (left, right) => `من ${left} إلى ${right}`,
    step: (step, of, pole) => `${step} من ${of}${pole === '' ? '' : `، ${pole}`}`,
  },

  textRows: {
    mayStayEmpty: 'يمكنك ترك أسطر فارغة.',
    every: (lines) => (lines === 1 ? 'يرجى ملء السطر.' : `يرجى ملء كل الأسطر (${lines}).`),
    tooLong: (max) => `يرجى ألا يزيد السطر على ${max} حرفًا.`,
  },
}
