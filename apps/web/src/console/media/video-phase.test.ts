import type { VideoRecord } from '@atrium/contract'
import { expect, test } from 'vitest'
import { isChanging, phaseOf, withVideo } from './video-phase.ts'

const record = (news: Partial<VideoRecord>) =>
  ({
    videoId: 'v1',
    uploadId: null,
    hlsStatus: 'pending',
    hlsNote: null,
    hlsError: null,
    progress: null,
    levels: [],
    createdAt: '2026-08-03T12:00:00.000Z',
    ...news,
  }) as VideoRecord

test.each([
  [{ uploadId: 'u1' }, { kind: 'unfinished' }, false],
  [{ hlsNote: 'ffmpeg is missing.' }, { kind: 'pending', reason: 'ffmpeg is missing.' }, true],
  [{ hlsStatus: 'processing', progress: 0 }, { kind: 'queued' }, true],
  [{ hlsStatus: 'processing', progress: 0.4 }, { kind: 'processing', progress: 0.4 }, true],
  [{ hlsStatus: 'ready', levels: ['360p'] }, { kind: 'ready', levels: ['360p'] }, false],
  [{ hlsStatus: 'failed', hlsError: 'No picture.' }, { kind: 'failed', sentence: 'No picture.' }, false],
] as const)('[R31] the record %o is %o', (news, phase, changes) => {
  const video = record({ ...news, levels: 'levels' in news ? [...news.levels] : [] })
  expect(phaseOf(video)).toEqual(phase)
  expect(isChanging(video)).toBe(changes)
})

test('a record that was pushed replaces the known one, or is added by its time', () => {
  const [old, known] = [record({ videoId: 'old', createdAt: '2026-08-01T12:00:00.000Z' }), record({})]
  const ready = record({ hlsStatus: 'ready' })
  expect(withVideo([known, old], ready)).toEqual([ready, old])
  const between = record({ videoId: 'between', createdAt: '2026-08-02T12:00:00.000Z' })
  expect(withVideo([known, old], between).map(({ videoId }) => videoId)).toEqual(['v1', 'between', 'old'])
})
