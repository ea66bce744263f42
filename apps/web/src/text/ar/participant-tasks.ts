import type { tasks as english } from '../en/participant-tasks.ts'
import { arabicPlurals } from './plurals.ts'

const day = new Intl.DateTimeFormat('ar-u-nu-latn', { dateStyle: 'long', timeZone: 'UTC' })
const anyOf = new Intl.ListFormat('ar', { type: 'disjunction' })
const inWords = (date: string): string => day.format(new Date(`${date}T00:00:00Z`))

export const tasks: typeof english = {
  date: {
    between: (min, max) => `من ${inWords(min)} إلى ${inWords(max)}.`,
    from: (min) => `${inWords(min)} أو بعده.`,
    upTo: (max) => `${inWords(max)} أو قبله.`,
    howToFix: 'يرجى إدخال تاريخ ضمن هذه المدة.',
  },

  dropdown: { placeholder: 'اختر …' },

  reaction: {
    explain: (trials, keys) =>
      `${arabicPlurals.pick(trials, {
        zero: 'لا محاولات',
        one: 'محاولة واحدة',
        two: 'محاولتان',
        few: `${trials} محاولات`,
        many: `${trials} محاولة`,
        other: `${trials} محاولة`,
      })}. استجب باستخدام ${anyOf.format(keys)} بأسرع ما يمكنك دون أخطاء.`,
    start: 'ابدأ',
    tryAgain: 'حاول مرة أخرى',
    sendAgain: 'أرسل مرة أخرى',
    notLoaded: 'تعذّر تحميل الصور. يرجى التحقق من اتصالك.',
    saving: 'جارٍ الحفظ …',
    done: '✓ انتهيت.',
    count: (trial, of) => `المحاولة ${trial} من ${of}`,
    space: 'مفتاح المسافة',
    feedback: { right: '✓ صحيح', wrong: '✗ خطأ', late: 'فات الأوان' },
  },
}
