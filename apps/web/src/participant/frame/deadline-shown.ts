import type { StateView } from '@atrium/contract'

/** What a page counts down to. A time limit that the study hides may come before: the page is then over without a warning. */
export const deadlineShown = ({
  deadlineAt,
  hidesDeadline,
  shownDeadlineAt,
}: Pick<StateView, 'deadlineAt' | 'hidesDeadline' | 'shownDeadlineAt'>): number | null =>
  hidesDeadline ? (shownDeadlineAt ?? null) : deadlineAt
