import type { collected as en } from '../en/participant-collected.ts'

export const collected: typeof en = {
  intro: 'إضافةً إلى إجاباتك، تسجّل هذه الدراسة:',
  kinds: {
    focus: 'متى تغادر هذه الصفحة وكم تغيب عنها',
    paste: 'عدد مرات لصق النصوص وعدد الأحرف الملصوقة',
    typing: 'إيقاع كتابتك، دون المفاتيح التي تضغط عليها',
    device: 'نوع جهازك ومتصفحك ونظامك، باللمس أو بالفأرة؛ وحجم النافذة ودقة الشاشة؛ ولغتك ومنطقتك الزمنية',
    network: 'سرعة استجابة اتصالك',
  },
}
