import { expect, test } from 'vitest'
import { inThisPane, seatIn } from './pane.ts'

const at = (pathname: string, search = '') => ({ pathname, search })

test('[TR7] each pane of a try has storage of its own, and a study has what it always had', () => {
  expect(inThisPane('drafts', at('/try/exp_1', '?role=buyer&seat=1'))).toBe('drafts@1')
  expect(inThisPane('drafts', at('/try/exp_1', '?role=buyer&seat=2'))).toBe('drafts@2')
  expect(inThisPane('drafts', at('/try/exp_1'))).toBe('drafts')
  expect(inThisPane('drafts', at('/join/exp_1', '?seat=12'))).toBe('drafts')
  expect(seatIn(at('/experiment', '?roomId=room_1'))).toBe('')
})
