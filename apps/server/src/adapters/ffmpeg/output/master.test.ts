import { qualityLevels } from '@atrium/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bandwidthOf, masterPlaylist } from './master.ts'
import { parseVariant, videoCodecIn } from './variant.ts'

test('[T10] the peak is that of any run of segments of about a target duration', () => {
  const segments = [
    { seconds: 6, bytes: 600_000 },
    { seconds: 6, bytes: 750_000 },
    { seconds: 0.04, bytes: 20_000 },
  ]
  // Alone, the last one would be 4 Mbit/s; together with the one before it, it raises the peak a little.
  expect(bandwidthOf(segments, 6)).toEqual({
    peak: Math.ceil((770_000 * 8) / 6.04),
    average: Math.ceil((1_370_000 * 8) / 12.04),
  })
  expect(bandwidthOf([{ seconds: 1, bytes: 1_000 }], 6)).toEqual({ peak: 8_000, average: 8_000 })
})

test('[T10] the peak is never below the average, nor below a segment of at least half a target duration', () => {
  const segment = fc.record({
    seconds: fc.double({ min: 3, max: 6, noNaN: true }),
    bytes: fc.integer({ min: 1, max: 1e7 }),
  })
  fc.assert(
    fc.property(fc.array(segment, { minLength: 1, maxLength: 20 }), (segments) => {
      const { peak, average } = bandwidthOf(segments, 6)
      expect(peak).toBeGreaterThanOrEqual(average)
      for (const { seconds, bytes } of segments)
        expect(peak).toBeGreaterThanOrEqual(Math.floor((bytes * 8) / seconds))
    }),
  )
})

test('[T10] the master playlist', () => {
  const [level] = qualityLevels
  const segments = [{ name: 'master_360p_00001.ts', seconds: 6.006, bytes: 750_750 }]
  const variant = {
    level,
    playlist: 'master_360p.m3u8',
    targetSeconds: 6,
    segments,
    codecs: 'avc1.4d401e,mp4a.40.2',
  }
  expect(masterPlaylist([variant], { over: 24_000, under: 1_001 })).toBe(
    [
      '#EXTM3U',
      '#EXT-X-VERSION:6',
      '#EXT-X-INDEPENDENT-SEGMENTS',
      '#EXT-X-STREAM-INF:BANDWIDTH=1000000,AVERAGE-BANDWIDTH=1000000,CODECS="avc1.4d401e,mp4a.40.2",RESOLUTION=640x360,FRAME-RATE=23.976',
      'master_360p.m3u8',
      '',
    ].join('\n'),
  )
})

test('durations are read from the playlist, and the codec from the stream', () => {
  const text =
    '#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6.006000,\na.ts\n#EXTINF:1.5,\nb.ts\n#EXT-X-ENDLIST\n'
  expect(parseVariant(text)).toEqual({
    targetSeconds: 6,
    segments: [
      { name: 'a.ts', seconds: 6.006 },
      { name: 'b.ts', seconds: 1.5 },
    ],
  })
  expect(parseVariant('')).toEqual({ targetSeconds: 0, segments: [] })
  expect(videoCodecIn(Buffer.from('0000000109f0000000016 74d401f'.replace(' ', ''), 'hex'))).toBe(
    'avc1.4d401f',
  )
  expect(() => videoCodecIn(Buffer.alloc(100))).toThrow('sequence parameter set')
})
