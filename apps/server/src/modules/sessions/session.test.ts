import { maySessionBecome, type SessionStatus } from '@atrium/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seeded } from '../../../test/seed.ts'
import { roomIdOf, sameUserAgent, statusAt } from './session.ts'

const statuses: SessionStatus[] = ['active', 'completed', 'expired', 'revoked']
const time = fc.integer({ min: 0, max: 4_000 })
const aSession = fc.record({ status: fc.constantFrom(...statuses), expiresAt: time })

test('[R15] time changes a status only where a change is allowed, and never back', () => {
  fc.assert(
    fc.property(aSession, time, time, (session, one, other) => {
      const early = statusAt(session, Math.min(one, other))
      const late = statusAt(session, Math.max(one, other))
      expect(early === session.status || maySessionBecome(session.status, early)).toBe(true)
      expect(late === early || maySessionBecome(early, late)).toBe(true)
      expect(statusAt({ ...session, status: late }, Math.max(one, other))).toBe(late)
    }),
    { ...seeded, numRuns: 500 },
  )
})

test('[R15] an active session is expired from the very millisecond of its expiry', () => {
  const session = { status: 'active' as const, expiresAt: 1_000 }
  expect([999, 1_000, 1_001].map((now) => statusAt(session, now))).toEqual(['active', 'expired', 'expired'])
})

test('[R15] only active sessions change; the other statuses are final', () => {
  const changes = statuses.flatMap((from) =>
    statuses.filter((to) => maySessionBecome(from, to)).map((to) => `${from} → ${to}`),
  )
  expect(changes).toEqual(['active → completed', 'active → expired', 'active → revoked'])
})

const aVersion = fc.array(fc.nat(999), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('.'))
const aProduct = fc.constantFrom('Mozilla', 'Chrome', 'Firefox', 'Safari', 'Version', 'Edg', 'OPR')
/** A user agent as a template with a slot for each version number. */
const aBrowser = fc.array(aProduct, { minLength: 1, maxLength: 5 })
const written = (products: string[], versions: string[]): string =>
  products.map((product, index) => `${product}/${versions[index % versions.length]}`).join(' ')
const someVersions = fc.array(aVersion, { minLength: 1, maxLength: 5 })

test('[R13] a browser that updates itself stays the same browser', () => {
  fc.assert(
    fc.property(aBrowser, someVersions, someVersions, (browser, before, after) => {
      expect(sameUserAgent(written(browser, before), written(browser, after))).toBe(true)
    }),
    { ...seeded, numRuns: 300 },
  )
})

test('[R13] another browser is another browser, whatever its version', () => {
  fc.assert(
    fc.property(aBrowser, aBrowser, someVersions, (one, other, versions) => {
      const isSame = sameUserAgent(written(one, versions), written(other, versions))
      expect(isSame).toBe(one.join() === other.join())
    }),
    { ...seeded, numRuns: 300 },
  )
})

test('[R13] being the same browser is reflexive, symmetric and transitive', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '/', '.', '1', '22', '_', ' '), maxLength: 6 })
  fc.assert(
    fc.property(text, text, text, (one, two, three) => {
      expect(sameUserAgent(one, one)).toBe(true)
      expect(sameUserAgent(one, two)).toBe(sameUserAgent(two, one))
      if (sameUserAgent(one, two) && sameUserAgent(two, three)) expect(sameUserAgent(one, three)).toBe(true)
    }),
    { ...seeded, numRuns: 500 },
  )
})

test('[R17] without a room the participant is in the waiting room of the experiment', () => {
  expect(roomIdOf({ roomId: 'room_1', experimentId: 'e' })).toBe('room_1')
  expect(roomIdOf({ roomId: null, experimentId: 'e' })).toBe('waiting_e')
})
