import { limits, type VideoRecord } from '@atrium/contract'
import { expect, test } from 'vitest'
import { objectionTo, unfinishedUploadOf } from './chosen-files.ts'

const begunAt = '2026-03-01T12:00:00.000Z'
const file = (name: string, type = '', size = 1_000, lastModified = Date.parse(begunAt)) => ({
  name,
  type,
  size,
  lastModified,
})

test('what the platform would refuse is refused before it is sent', () => {
  expect(objectionTo(file('film.mp4'))).toBeUndefined()
  expect(objectionTo(file('notes.txt', 'text/plain'))).toBe('notes.txt is not a video.')
  expect(objectionTo(file('film.mp4', 'video/mp4', 0))).toBe('film.mp4 is empty.')
  expect(objectionTo(file('film.mp4', 'video/mp4', limits.videoBytes + 1))).toBe(
    'film.mp4 is larger than 10.7 GB.',
  )
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
