import type { shared as english } from '../en/shared.ts'

export const shared: typeof english = {
  noAnswer: 'الخادم لا يستجيب. يُرجى التحقق من اتصالك.',
  unexpectedStatus: (status) => `استجاب الخادم بالحالة ${status}.`,
}
