import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seeded } from '../../../test/seed.ts'
import { createMediaPaths } from './signed-paths.ts'

const startMs = 1_800_000_000_000

function pathsAt(secret = 'a secret', lifetimeMs = 14_400_000) {
  const time = { now: startMs }
  return { time, paths: createMediaPaths({ secrets: [secret], lifetimeMs, clock: { now: () => time.now } }) }
}

function credentialOf(path: string): string {
  return path.split('/')[2] ?? ''
}

test('[R32] a path is valid for its video until it expires', () => {
  const { paths, time } = pathsAt()
  const { pathOf, expiresAt } = paths.sign('vid_1')
  const path = pathOf('videos/vid_1/hls/master.m3u8')
  expect(path).toMatch(/^\/media\/\d+\.[\w-]{43}\/videos\/vid_1\/hls\/master\.m3u8$/)
  const credential = credentialOf(path)
  expect(paths.validUntil(credential, 'vid_1')).toBe(expiresAt)
  expect(paths.validUntil(credential, 'vid_2')).toBeUndefined()
  time.now = expiresAt - 1
  expect(paths.validUntil(credential, 'vid_1')).toBe(expiresAt)
  time.now = expiresAt
  expect(paths.validUntil(credential, 'vid_1')).toBeUndefined()
})

test('[R32] a secret is replaced in steps: paths of both are valid until the old one is gone', () => {
  const clock = { now: () => startMs }
  const [old, both, turned, only] = [['old'], ['old', 'new'], ['new', 'old'], ['new']].map(
    ([first = '', ...others]) =>
      createMediaPaths({ secrets: [first, ...others], lifetimeMs: 14_400_000, clock }),
  )
  const signedBy = (paths: typeof old) => credentialOf(paths?.sign('vid_1').pathOf('videos/vid_1/x') ?? '')
  expect([signedBy(both), signedBy(turned)]).toEqual([signedBy(old), signedBy(only)])
  const accepting = (credential: string) =>
    [old, both, turned, only].map((paths) => paths?.validUntil(credential, 'vid_1') !== undefined)
  expect(accepting(signedBy(old))).toEqual([true, true, true, false])
  expect(accepting(signedBy(only))).toEqual([false, true, true, true])
})

test('[V11] a path lives for most of the lifetime, and is the same for a while so that caches find it', () =>
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 604_800 }),
      fc.integer({ min: 0, max: 1_000_000 }),
      (seconds, later) => {
        const { paths, time } = pathsAt('s', seconds * 1000)
        time.now += later
        const leftMs = paths.sign('v').expiresAt - time.now
        expect(leftMs).toBeLessThanOrEqual(seconds * 1000)
        expect(leftMs).toBeGreaterThan(0.75 * seconds * 1000 - 2_000)
      },
    ),
    seeded,
  ))

test('[R32] nothing that was not signed with the secret is valid', () => {
  const { paths } = pathsAt()
  const credential = credentialOf(paths.sign('vid_1').pathOf('x'))
  const [expiry = '', signature = ''] = credential.split('.')
  const other = credentialOf(pathsAt('another secret').paths.sign('vid_1').pathOf('x'))
  const lastBitsChanged = signature.slice(0, -1) + String.fromCharCode(signature.charCodeAt(42) + 1)
  for (const forged of [
    other,
    `${Number(expiry) + 1}.${signature}`,
    `0${expiry}.${signature}`,
    `${expiry}.${lastBitsChanged}`,
    `${expiry}.${signature}=`,
    `${expiry}.`,
    `.${signature}`,
    '',
    `${'9'.repeat(400)}.${signature}`,
  ])
    expect(paths.validUntil(forged, 'vid_1'), forged).toBeUndefined()
  fc.assert(
    fc.property(fc.string(), (text) => paths.validUntil(text, 'vid_1') === undefined),
    seeded,
  )
})
