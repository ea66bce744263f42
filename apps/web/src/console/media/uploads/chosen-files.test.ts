import { limits, type VideoRecord } from '@atrium/contract'
import { expect, test } from 'vitest'
import { texts } from '../../../text/console.ts'
import { isForVideos, objectionTo, unfinishedUploadOf } from './chosen-files.ts'
import { mediaBatchesOf } from './media-batch.ts'

const begunAt = '2026-03-01T12:00:00.000Z'
const file = (name: string, type = '', size = 1_000, lastModified = Date.parse(begunAt)) => ({
  name,
  type,
  size,
  lastModified,
})

test('what the platform would refuse is refused before it is sent', () => {
  for (const name of ['film.mp4', 'face.PNG', 'tone.wav', 'faces.zip', 'song.opus'])
    expect([name, objectionTo(file(name))]).toEqual([name, undefined])
  for (const name of ['notes.txt', 'logo.svg', 'photo.heic', 'faces'])
    expect(objectionTo(file(name, 'text/plain'))).toMatch(`${name} is not a video, a picture (PNG, JPEG`)
  expect(objectionTo(file('face.png', 'image/png', 0))).toBe('face.png is empty.')
  const { fileBytes } = limits.media
  expect(objectionTo(file('face.png', 'image/png', fileBytes + 1))).toBe('face.png is larger than 26.2 MB.')
  expect(objectionTo(file('faces.zip', '', fileBytes + 1))).toBeUndefined()
  expect(objectionTo(file('faces.zip', '', limits.uploadPartBytes))).toBe(
    'faces.zip is larger than 104.9 MB.',
  )
  expect(objectionTo(file('film.mp4', 'video/mp4', 0))).toBe('film.mp4 is empty.')
  expect(objectionTo(file('film.mp4', 'video/mp4', limits.videoBytes + 1))).toBe(
    'film.mp4 is larger than 10.7 GB.',
  )
})

test('a list of refused files names the first of them', () => {
  const { first } = texts().mediaUploads.objections
  expect(first(['A is bad.', 'B is bad.'])).toBe('A is bad. B is bad.')
  const many = Array.from({ length: 8 }, (_, at) => `${at} is bad.`)
  expect(first(many)).toBe(`${many.slice(0, 5).join(' ')} 3 more were not uploaded, either.`)
})

test('[R67] pictures and sounds that are chosen together are sent together, as far as a request holds', () => {
  const files = [new File(['12'], 'one.png'), new File(['345'], 'two.wav'), new File(['6'], 'three.zip')]
  const [batch, ...more] = mediaBatchesOf(files)
  expect(batch).toEqual({ name: 'one.png and 2 other files', size: 6, files })
  expect(more).toEqual([])
  expect(mediaBatchesOf(files.slice(0, 1))).toMatchObject([{ name: 'one.png', size: 2 }])
  expect(files.filter(isForVideos)).toEqual([])
})

test('[R31] a file with the name and size of an unfinished upload continues it', () => {
  const record = (news: Partial<VideoRecord>) =>
    ({
      videoId: 'v1',
      filename: 'film.mp4',
      size: 1_000,
      uploadId: 'u1',
      storageKey: 'k1',
      isOwn: true,
      createdAt: begunAt,
      ...news,
    }) as VideoRecord
  const continued = { videoId: 'v1', uploadId: 'u1', key: 'k1' }
  expect(unfinishedUploadOf(file('film.mp4'), [record({})])).toEqual(continued)
  for (const other of [{ size: 999 }, { filename: 'other.mp4' }, { uploadId: null }, { isOwn: false }])
    expect(unfinishedUploadOf(file('film.mp4'), [record(other)])).toBeUndefined()
  const changed = file('film.mp4', '', 1_000, Date.parse(begunAt) + 1)
  expect(unfinishedUploadOf(changed, [record({})])).toBeUndefined()
})
