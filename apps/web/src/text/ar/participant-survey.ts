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

  hotSpot: {
    hint: (min, max) =>
      max === 1
        ? 'حدّد موضعًا واحدًا على الصورة.'
        : `عدد المواضع المطلوب تحديدها على الصورة: ${min === max ? min : `من ${min} إلى ${max}`}.`,
    picture: (alt, marks) => `صورة لتحديد المواضع${alt === '' ? '' : `: ${alt}`}. عدد العلامات: ${marks}.`,
    keys: 'بلوحة المفاتيح: حرّك علامة التصويب بمفاتيح الأسهم (ومع Shift بخطوات أكبر)، وحدّد الموضع بمفتاح Enter، وأزل آخر علامة بمفتاح Delete.',
    place: (x, y) => `${x}% من اليسار، ${y}% من الأعلى`,
    count: (marks) => (marks === 0 ? 'لم يُحدَّد أي موضع بعد.' : `عدد المواضع المحدَّدة: ${marks}.`),
    set: (mark) => `وُضعت العلامة ${mark}`,
    moved: (mark) => `نُقلت العلامة ${mark}`,
    removed: (mark) => `أُزيلت العلامة ${mark}`,
    full: (max) => `وُضعت كل العلامات (${max}). أزل واحدة لتحديد موضع آخر.`,
    remove: (mark) => `إزالة العلامة ${mark}`,
    otherWays: 'التحديد دون إشارة',
    up: 'تحريك علامة التصويب إلى الأعلى',
    down: 'تحريك علامة التصويب إلى الأسفل',
    left: 'تحريك علامة التصويب إلى اليسار',
    right: 'تحريك علامة التصويب إلى اليمين',
    mark: 'تحديد',
    howToFix: (marks, min) =>
      `يرجى تحديد ما لا يقل عن ${min} من المواضع على الصورة. المحدَّد حتى الآن: ${marks}.`,
  },
}
