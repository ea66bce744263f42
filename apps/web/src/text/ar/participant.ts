import type { shared as english } from '../en/shared.ts'

export { frame } from './participant-frame.ts'
export { pages } from './participant-pages.ts'
export { tasks } from './participant-tasks.ts'
export { views } from './participant-views.ts'

export const shared: typeof english = {
  noAnswer: 'الخادم لا يستجيب. يُرجى التحقق من اتصالك.',
  unexpectedStatus: (status) => `استجاب الخادم بالحالة ${status}.`,
}
