import { expect, test } from 'vitest'
import { hideSessionIds, newSessionId, pseudonymOf } from './ids.ts'

test('[R59] a session’s id in a text becomes its pseudonym, and no part of it is left', () => {
  const id = newSessionId()
  expect(hideSessionIds(`I am ${id}.`)).toBe(`I am ${pseudonymOf(id)}.`)
  // Right behind something that looks like the beginning of another one.
  for (const before of ['sess_', `sess_${'A'.repeat(38)}`, 'xsess_-', id])
    expect(hideSessionIds(before + id)).not.toContain(id.slice('sess_'.length))
})
