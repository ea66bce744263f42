import type { views as english } from '../en/participant-views.ts'
import { arabicPlurals } from './plurals.ts'

const plurals = arabicPlurals

const tellResearchers = 'يُرجى إبلاغ الباحثين.'
const theOne = { video: 'الفيديو', audio: 'المقطع الصوتي' }
const numeral = (isWhole: boolean) => (isWhole ? 'عدد صحيح' : 'رقم')

const seconds = (count: number) =>
  plurals.pick(count, {
    zero: 'لحظات',
    one: 'ثانية واحدة',
    two: 'ثانيتين',
    few: `${count} ثوانٍ`,
    many: `${count} ثانية`,
    other: `${count} ثانية`,
  })

const characters = (count: number) =>
  plurals.pick(count, {
    zero: '0 حرف',
    one: 'حرف واحد',
    two: 'حرفان',
    few: `${count} أحرف`,
    many: `${count} حرفًا`,
    other: `${count} حرف`,
  })

export const views: typeof english = {
  unknown: {
    title: 'لا يمكن عرض هذا الجزء من الدراسة.',
    message: (id, type) => `يُرجى إبلاغ الباحثين وذكر «${id}» (${type}). ما زالت بقية الصفحة تعمل.`,
    notLoaded: 'تعذّر تحميل هذا الجزء. يُرجى إعادة تحميل الصفحة. سيبقى ما أدخلته محفوظًا.',
  },

  question: {
    optional: '(اختياري)',
    clear: 'مسح إجابتي',
    count: (length, max) => `${length} من ${max}`,
    countOver: (length, max) => `${length} من ${max} – طويل جدًا`,
  },

  scale: {
    untouched: 'انقر على الخط أو المسه للإجابة.',
    noAnswer: 'لا إجابة بعد',
  },

  ranking: {
    hint: 'الأفضل أولًا. استخدم الأسهم أو اسحب.',
    hintFixed: 'الأفضل أولًا.',
    keep: 'الإبقاء على هذا الترتيب',
    moved: (label, place, of) => `أصبح ${label} في المرتبة ${place} من ${of}`,
    moveUp: (label) => `نقل ${label} إلى أعلى`,
    moveDown: (label) => `نقل ${label} إلى أسفل`,
  },

  choice: {
    other: 'غير ذلك',
    ownAnswer: 'إجابتك الخاصة',
    right: '✓ إجابة صحيحة.',
    wrong: '✗ إجابة غير صحيحة.',
    exactly: (count) => `اختر ${count}.`,
    between: (min, max) => `اختر ما بين ${min} و${max}.`,
    atLeast: (min) => `اختر ${min} على الأقل.`,
    upTo: (max) => `اختر ${max} على الأكثر.`,
    allThatApply: 'اختر كل ما ينطبق.',
  },

  matrix: {
    severalPerRow: 'يمكنك اختيار عدة إجابات في كل صف.',
    rowsMayStayEmpty: 'يمكنك ترك صفوف فارغة.',
    rowMissing: '! لم تُجب بعد',
  },

  textInput: {
    wholeNumber: 'عدد صحيح.',
    numberBetween: (isWhole, min, max) => `${numeral(isWhole)} من ${min} إلى ${max}.`,
    numberFrom: (isWhole, min) => `${numeral(isWhole)}، ${min} أو أكثر.`,
    numberUpTo: (isWhole, max) => `${numeral(isWhole)}، ${max} أو أقل.`,
    inSteps: (step) => `بخطوات مقدارها ${step}.`,
    decimalPlaces: (places) => `عدد المنازل العشرية: ${places} على الأكثر.`,
    lengthBetween: (min, max) => `من ${min} إلى ${characters(max)}.`,
    lengthFrom: (min) => `${characters(min)} على الأقل.`,
    lengthUpTo: (max) => `${characters(max)} على الأكثر.`,
  },

  consent: {
    file: 'تنزيل هذه المعلومات',
    agree: 'أوافق',
    decline: 'لا أوافق',
    agreed: '✓ لقد وافقت.',
    declined: 'لم توافق.',
    inSeconds: (count) => `يمكنك الموافقة بعد ${seconds(count)}.`,
    onceRead: 'يمكنك الموافقة بعد أن تقرأ حتى النهاية.',
    inSecondsOnceRead: (count) => `يمكنك الموافقة بعد ${seconds(count)}، وبعد أن تقرأ حتى النهاية.`,
  },

  check: {
    attemptsLeft: (left) =>
      plurals.pick(left, {
        zero: 'لم تبقَ لديك أي محاولة.',
        one: 'بقيت لديك محاولة واحدة.',
        two: 'بقيت لديك محاولتان.',
        few: `بقيت لديك ${left} محاولات.`,
        many: `بقيت لديك ${left} محاولة.`,
        other: `بقيت لديك ${left} محاولة.`,
      }),
    notRightYet: 'ليست صحيحة بعد.',
    someWrong: (attemptsLeft) =>
      `✗ ليست كل الإجابات صحيحة بعد. ${attemptsLeft} يمكنك الرجوع وقراءة التعليمات مرة أخرى.`,
    passed: '✓ كل الإجابات صحيحة.',
    failed: 'لم تكن كل الإجابات صحيحة، ولم تبقَ لديك أي محاولة.',
    submit: 'التحقق من إجاباتي',
    chooseAllRight: 'اختر كل الإجابات الصحيحة.',
  },

  instructions: {
    back: 'السابق',
    next: 'الصفحة التالية',
    toQuestions: 'إلى الأسئلة',
    questions: 'الأسئلة',
    page: (page, of) => `الصفحة ${page} من ${of}`,
  },

  media: {
    label: { video: 'فيديو', audio: 'صوت' },
    noAddress: (kind) => `لا يمكن تشغيل ${theOne[kind]}: لا يوجد عنوان له. ${tellResearchers}`,
    noUpload: (kind, uploadId) =>
      `لا يمكن تشغيل ${theOne[kind]}: الملف «${uploadId}» غير متاح هنا. ${tellResearchers}`,
    unsupported: (kind) =>
      `لا يستطيع هذا المتصفح تشغيل ${theOne[kind]}. يُرجى فتح الدراسة في متصفح آخر، مثل Chrome أو Edge أو Firefox أو Safari.`,
    notLoaded: (kind) => `تعذّر تحميل ${theOne[kind]}. يُرجى التحقق من اتصالك.`,
    ended: (kind) => `انتهى ${theOne[kind]}.`,
    paused: 'متوقف مؤقتًا.',
    loading: 'جارٍ التحميل …',
    loadingPart: (share) => `جارٍ التحميل … ${Math.round(share * 100)}٪`,
    loadingAhead: (share) => `جارٍ تحميل ما سيأتي … ${Math.round(share * 100)}٪`,
    waitingForOthers: 'في انتظار الآخرين …',
    ratingAwaited: 'يُرجى إعطاء تقييمك للمتابعة.',
    start: 'بدء',
    continue: 'متابعة',
    tryAgain: 'حاول مرة أخرى',
    sendAgain: 'إعادة الإرسال',
    progress: 'تقدّم التشغيل',
    conduct: {
      label: 'التشغيل للجميع',
      play: 'تشغيل للجميع',
      pause: 'إيقاف مؤقت للجميع',
      position: 'الموضع للجميع',
    },
  },

  rating: {
    toCome: 'سيُطلب منك تقييم هنا.',
    allGiven: 'شكرًا لك. لقد أعطيت كل التقييمات.',
    askedNow: 'يُرجى إعطاء تقييم الآن',
    submit: 'إرسال التقييم',
    start: 'انقر على الخط أو المسه للبدء، وحرّك المقبض كلما تغيّرت إجابتك.',
    startWithMedia: 'انقر على الخط أو المسه للبدء، وحرّك المقبض أثناء التشغيل.',
    notSaved: (problem) => `لم يُحفظ تقييمك بعد. سنواصل المحاولة. ${problem}`,
  },

  chat: {
    title: 'الدردشة',
    empty: 'لا توجد رسائل بعد.',
    toNewest: '↓ أحدث الرسائل',
    message: 'رسالتك',
    send: 'إرسال',
    you: 'أنت',
    researchers: 'الباحثون',
  },

  clock: {
    label: 'الوقت',
    noLimit: 'لا حدّ للوقت',
  },

  progress: {
    label: 'التقدّم في الدراسة',
    step: (step, of, label = 'الخطوة') => `${label} ${step} من ${of}`,
  },

  image: {
    notLoaded: 'تعذّر تحميل الصورة.',
    shows: (alt) => `تُظهر الصورة: ${alt}`,
    goOnWithout: 'المتابعة دون هذا السؤال',
    wentOn: 'يمكنك المتابعة. سيبقى هذا السؤال دون إجابة.',
  },

  customHtml: {
    title: (id) => `محتوى تفاعلي «${id}»`,
    notJson: 'الإجابة ليست قيمة JSON.',
  },
}
