import { expect, test } from 'vitest'
import { hideSessionIds, isOpenedBy, newGuestSessionId, newSessionId, pseudonymOf } from './ids.ts'

test('[R59] a session’s id in a text is replaced by its pseudonym, and no part of it remains', () => {
  const id = newSessionId()
  expect(hideSessionIds(`I am ${id}.`)).toBe(`I am ${pseudonymOf(id)}.`)
  // Directly after something that looks like the start of another id.
  for (const before of ['sess_', `sess_${'A'.repeat(38)}`, 'xsess_-', id])
    expect(hideSessionIds(before + id)).not.toContain(id.slice('sess_'.length))
})

test('[G12,R12] a guest’s session is recognised by the device that opened it, and looks like any other', () => {
  const [one, other] = [newGuestSessionId('one'), newGuestSessionId('other')]
  expect(one).toMatch(/^sess_[\w-]{43}$/)
  expect(new Set([one, other, newGuestSessionId('one')]).size).toBe(3)
  expect([one, other, newSessionId(), 'sess_', ''].map((id) => isOpenedBy('one', id))).toEqual([
    true,
    false,
    false,
    false,
    false,
  ])
})
