import { expect, test } from 'vitest'
import { deadlineShown } from './deadline-shown.ts'

test('[RM218] a page counts down to what ends it, or to the next thing that the study does not hide', () => {
  expect(deadlineShown({ deadlineAt: 10 })).toBe(10)
  expect(deadlineShown({ deadlineAt: null })).toBeNull()
  expect(deadlineShown({ deadlineAt: 10, hidesDeadline: true })).toBeNull()
  expect(deadlineShown({ deadlineAt: 10, hidesDeadline: true, shownDeadlineAt: 30 })).toBe(30)
})
