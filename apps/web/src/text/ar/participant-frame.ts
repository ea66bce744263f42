import type { frame as english } from '../en/participant-frame.ts'
import { aboutMinutes, arabicPlurals as plurals } from './plurals.ts'

export const frame: typeof english = {
  product: 'أتريوم',
  notices: 'إشعارات',
  leave: 'مغادرة',
  timeLeft: 'الوقت المتبقي',
  remaining: (time) => `بقي ${time}`,
  step: (step, of) => `الخطوة ${step} من ${of}`,

  waitingRoom: {
    title: 'لقد انضممت.',
    needed: (count) =>
      plurals.pick(count, {
        zero: 'لا ننتظر أحدًا بعد الآن.',
        one: 'ننتظر شخصًا واحدًا.',
        two: 'ننتظر شخصين.',
        few: `ننتظر ${count} أشخاص.`,
        many: `ننتظر ${count} شخصًا.`,
        other: `ننتظر ${count} شخص.`,
      }),
    seats: (taken, of) => `شُغل ${taken} من ${of} من الأماكن.`,
    estimate: (time) => `يستغرق ذلك عادةً ${time} من الآن.`,
    noEstimate: 'لا يمكننا بعد معرفة المدة.',
    soon: 'من المفترض أن تبدأ في أي لحظة.',
    nextTitle: 'ما الخطوة التالية',
    next: 'حالما تكتمل مجموعتك سترون جميعًا الصفحة الأولى من الدراسة.',
    callMe: 'نبّهني عند البدء',
    callMeWhy: 'بصوت وإشعار من متصفحك، لتتمكن من فعل شيء آخر في هذه الأثناء.',
    called: 'سننبّهك بصوت. أبقِ علامة التبويب هذه مفتوحة.',
    lobby: {
      here: (taken, of) => `حضر حتى الآن: ${taken} من ${of}.`,
      least: (least) => `عند انتهاء مدة الانتظار يكفي هذا العدد للبدء: ${least}.`,
      start: (clock) => `تبدأ الدراسة بعد ${clock} على الأكثر بالحاضرين إن كان عددهم كافيًا.`,
      enough: (clock) => `تبدأ الدراسة بعد ${clock} على الأكثر.`,
      endBelow: (clock, least) =>
        `إذا كان عدد الحاضرين بعد ${clock} أقل من ${least} فسينتهي الانتظار، وستخبرك هذه الصفحة بما يلي.`,
      end: (clock) => `إذا لم تكتمل المجموعة بعد ${clock} فسينتهي الانتظار، وستخبرك هذه الصفحة بما يلي.`,
    },
    longTitle: 'إذا طال الانتظار',
    longEnd: (time) =>
      `إذا لم تتكوّن مجموعة خلال ${time} من الآن فسينتهي الانتظار، وستخبرك هذه الصفحة بما يلي.`,
    longStart: (time) =>
      `إذا لم تكتمل مجموعتك خلال ${time} من الآن فستبدأ الدراسة بالحاضرين إن كان عددهم كافيًا.`,
    long: 'يمكنك إنهاء الانتظار في أي وقت.',
    started: 'بدأت مجموعتك',
    startedMessage: 'الآخرون في انتظارك.',
    again: 'الانتظار مجددًا',
    stop: {
      title: 'هل تريد إنهاء الانتظار؟',
      message: 'ستتخلى عن مكانك في المجموعة، وقد يأخذه شخص آخر.',
      stay: 'مواصلة الانتظار',
      confirm: 'إنهاء الانتظار',
    },
  },

  decline: {
    title: 'ألا تريد المشاركة؟',
    message: 'تنتهي الدراسة عندئذٍ هنا بالنسبة إليك.',
    stay: 'رجوع',
    confirm: 'لا أريد المشاركة',
  },

  home: {
    lead: 'شارك في البحث العلمي. اختر دراسة تناسبك.',
    minutes: aboutMinutes,
    alone: 'بمفردك',
    together: (count) => (count === 2 ? 'مع شخص آخر' : `مع ${count - 1} آخرين`),
    between: (min, max) => `في مجموعة من ${min} إلى ${max}`,
    open: 'شارك',
    noneTitle: 'لا توجد دراسة يمكنك المشاركة فيها الآن',
  },
}
