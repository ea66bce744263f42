import type { tasks as english } from '../en/participant-tasks.ts'
import { createTaskFormats } from '../task-formats.ts'
import { arabicPlurals } from './plurals.ts'

const { inWords, size, anyOf } = createTaskFormats('ar-u-nu-latn')

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
      })}. استجب باستخدام ${anyOf(keys)} بأسرع ما يمكنك دون أخطاء.`,
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

  jspsych: {
    title: 'مهمة',
    explain: 'عدة أجزاء قصيرة متتالية. يرجى المتابعة حتى النهاية.',
    goOn: 'ستستمر المهمة من حيث توقفت.',
    notLoaded: 'تعذّر تحميل هذه المهمة. يرجى التحقق من اتصالك.',
  },

  files: {
    hint: (maxBytes) => `حتى ${size(maxBytes)}.`,
    upTo: (time) => `حتى ${time}.`,
    uploading: 'جارٍ الرفع … يرجى إبقاء هذه الصفحة مفتوحة.',
    stored: (name, bytes) => `✓ الملف ${name} (${size(bytes)}) جاهز للإرسال.`,
    empty: 'هذا الملف فارغ. يرجى اختيار ملف آخر.',
    tooLarge: (maxBytes) => `هذا الملف كبير جدًا. يرجى اختيار ملف لا يتجاوز ${size(maxBytes)}.`,
    wrongType: 'هذا النوع من الملفات غير مقبول هنا. يرجى اختيار ملف آخر.',
    record: 'سجّل',
    recordAgain: 'سجّل من جديد',
    stop: 'أوقف التسجيل',
    keep: 'استخدم هذا التسجيل',
    kept: '✓ تسجيلك جاهز للإرسال.',
    playback: 'تسجيلك',
    asking: 'يسألك المتصفح عمّا إذا كان يُسمح لهذه الصفحة باستخدام الميكروفون. يرجى السماح بذلك.',
    unavailable: {
      refused:
        'الميكروفون محظور. يرجى السماح به في إعدادات المتصفح بجانب عنوان هذه الصفحة ثم المحاولة مرة أخرى.',
      missing: 'لم يُعثر على ميكروفون. يرجى توصيل ميكروفون ثم المحاولة مرة أخرى.',
      unsupported: 'لا يستطيع هذا المتصفح تسجيل الصوت هنا. يرجى فتح الدراسة في متصفح آخر.',
    },
  },
}
