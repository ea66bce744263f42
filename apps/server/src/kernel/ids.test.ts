import { expect, test } from 'vitest'
import { hideSessionIds, newSessionId, pseudonymOf } from './ids.ts'

test('[R59] a session’s id in a text is replaced by its pseudonym, and no part of it remains', () => {
  const id = newSessionId()
  expect(hideSessionIds(`I am ${id}.`)).toBe(`I am ${pseudonymOf(id)}.`)
  // Directly after something that looks like the start of another id.
  for (const before of ['sess_', `sess_${'A'.repeat(38)}`, 'xsess_-', id])
    expect(hideSessionIds(before + id)).not.toContain(id.slice('sess_'.length))
})
