import { limits } from '@atrium/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seeded } from '../../../test/seed.ts'
import { partCountOf, partIssues, partSizeOf } from './multipart.ts'

const part = limits.uploadPartBytes
const fileSize = 2 * part + 7
const stored = [1, 2, 3].map((partNumber) => ({
  partNumber,
  etag: `e${partNumber}`,
  size: partNumber === 3 ? 7 : part,
}))
const claimed = stored.map(({ partNumber, etag }) => ({ partNumber, etag }))

test('[R31] the parts of a file cover it exactly', () =>
  fc.assert(
    fc.property(fc.integer({ min: 1, max: limits.videoBytes }), (size) => {
      const sizes = Array.from({ length: partCountOf(size) }, (_, index) => partSizeOf(size, index + 1))
      expect(sizes.reduce((sum, each) => sum + each, 0)).toBe(size)
      expect(sizes.slice(0, -1).every((each) => each === part)).toBe(true)
      expect(sizes.at(-1)).toBeGreaterThan(0)
    }),
    seeded,
  ))

test('[V3] all parts, in order, with their ETags in quotes or not, complete an upload', () => {
  expect(partIssues(fileSize, claimed, stored)).toEqual([])
  const quoted = claimed.map((each) => ({ ...each, etag: `"${each.etag}"` }))
  expect(partIssues(fileSize, quoted, stored)).toEqual([])
})

test.each<[string, Parameters<typeof partIssues>, string]>([
  ['out of order', [fileSize, [claimed[1], claimed[0], claimed[2]] as never, stored], '/parts/0/partNumber'],
  ['listed twice', [fileSize, [claimed[0], claimed[0], claimed[2]] as never, stored], '/parts/1/partNumber'],
  ['missing from the list', [fileSize, claimed.slice(0, 2), stored], '/parts'],
  ['too many', [fileSize - 7, claimed, stored], '/parts'],
  ['not uploaded', [fileSize, claimed, stored.slice(0, 2)], '/parts/2'],
  ['of another size', [fileSize - 1, claimed, stored], '/parts/2'],
  [
    'with a wrong ETag',
    [fileSize, [...claimed.slice(0, 2), { partNumber: 3, etag: 'x' }], stored],
    '/parts/2/etag',
  ],
])('[V3] parts %s are refused with their path', (_name, given, path) => {
  expect(partIssues(...given).map((issue) => issue.path)).toEqual([path])
})
