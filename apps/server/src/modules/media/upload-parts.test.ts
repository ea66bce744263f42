import { limits } from '@atrium/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seeded } from '../../../test/seed.ts'
import { fileNameIssue, isVideoType } from './file-name.ts'
import { outputFactsOf } from './outputs.ts'
import { partCountOf, partIssues, partSizeOf } from './upload-parts.ts'

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

test.each([
  '',
  '.',
  '..',
  'a/b.mp4',
  'a\\b.mp4',
  'a\0.mp4',
  'a\n',
  '\ud800',
  'x'.repeat(256),
  '😀'.repeat(250),
])('[V3] %j is not the name of a file', (name) => expect(fileNameIssue(name)).toMatch(/^must be/))

test.each(['film.mp4', '.film', 'Überfilm (1)+.mp4', '映画.mov', 'a%2Fb.mp4'])('[V3] %j is one', (name) =>
  expect(fileNameIssue(name)).toBeUndefined(),
)

test('[R31] only video types are taken', () => {
  for (const type of ['video/mp4', 'Video/MP4', 'video/x-matroska; codecs="a"'])
    expect(isVideoType(type), type).toBe(true)
  for (const type of ['', 'video', 'video/', 'audio/mp4', 'text/html', 'video/mp4\r\nx: y', 'x video/mp4'])
    expect(isVideoType(type), type).toBe(false)
})

test('[V8] levels and length are read from the outputs of a job, whatever else they contain', () => {
  const output = (name: string, durationInMs: unknown) => ({
    outputFilePaths: [`s3://films/videos/v/hls/master_${name}.m3u8`],
    durationInMs,
  })
  const outputDetails = [output('720p', 6_040), output('360p', 6_006.4), output('999p', -1)]
  expect(outputFactsOf([{ outputDetails }])).toEqual({ levels: ['360p', '720p'], durationMs: 6_040 })
  const nothing = { levels: [], durationMs: null }
  expect(outputFactsOf()).toEqual(nothing)
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), (outputs) => {
      expect(outputFactsOf(outputs).levels).toEqual([])
    }),
    seeded,
  )
})
