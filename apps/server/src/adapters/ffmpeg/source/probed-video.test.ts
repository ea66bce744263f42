import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { outputRate, ratioOf } from './frame-rate.ts'
import { probedFrom } from './probed-video.ts'
import { parseReport, type Stream } from './report.ts'
import { isCut, isTruncated } from './truncation.ts'

const format = { format_name: 'mov,mp4,m4a,3gp,3g2,mj2', duration: '8.000000' }
const picture: Stream = { index: 0, codec_type: 'video', codec_name: 'h264', width: 1920, height: 1080 }
const sound: Stream = { index: 1, codec_type: 'audio', codec_name: 'aac', channels: 2 }
const sizeOf = (stream: Partial<Stream>) =>
  probedFrom({ format, streams: [{ ...picture, ...stream }] }).video.size

describe('[T5] the size at which a video is displayed', () => {
  test.each<[string, Partial<Stream>, { width: number; height: number }]>([
    ['as it is', {}, { width: 1920, height: 1080 }],
    ['unknown aspect', { sample_aspect_ratio: '0:1' }, { width: 1920, height: 1080 }],
    ['anamorphic', { width: 720, height: 576, sample_aspect_ratio: '64:45' }, { width: 1024, height: 576 }],
    ['turned by side data', { side_data_list: [{}, { rotation: -90 }] }, { width: 1080, height: 1920 }],
    ['turned by a tag', { tags: { rotate: '270' } }, { width: 1080, height: 1920 }],
    ['upside down', { side_data_list: [{ rotation: 180 }] }, { width: 1920, height: 1080 }],
  ])('%s', (_, stream, size) => {
    expect(sizeOf(stream)).toEqual(size)
  })

  test('an absurd pixel shape stays within bounds', () => {
    expect(sizeOf({ sample_aspect_ratio: '1000000:1' }).width).toBe(65_535)
    expect(sizeOf({ sample_aspect_ratio: '1:1000000' }).width).toBe(1)
  })
})

describe('the streams of a video', () => {
  test('a cover is not a video', () => {
    const cover = { ...picture, disposition: { attached_pic: 1 } }
    expect(() => probedFrom({ format, streams: [cover, sound] })).toThrow('sound but no picture')
    expect(probedFrom({ format, streams: [cover, { ...picture, index: 2 }] }).video.index).toBe(2)
  })

  test('the default stream comes first, then the largest; sound that nothing can decode is passed over', () => {
    const small = { ...picture, index: 3, width: 640, height: 360, disposition: { default: 1 } }
    const unknown: Stream = { index: 4, codec_type: 'audio', channels: 2 }
    const probed = probedFrom({ format, streams: [picture, small, unknown, { ...sound, index: 5 }] })
    expect(probed).toMatchObject({ video: { index: 3 }, audio: { index: 5 } })
  })

  test('Matroska has the duration of streams in a tag', () => {
    const tagged = { ...picture, tags: { DURATION: '00:01:02.500000000' } }
    expect(probedFrom({ format, streams: [tagged] }).video.durationMs).toBe(62_500)
  })
})

test('[T7] sound begins late if it comes more than a moment after the video has begun', () => {
  const soundAt = (start_time: string) =>
    probedFrom({ format: { ...format, start_time: '1.4' }, streams: [picture, { ...sound, start_time }] })
      .audio
  expect(['1.400000', '1.440000', '1.900000', 'N/A'].map((at) => soundAt(at)?.beginsLate)).toEqual([
    ...[false, false, true, false],
  ])
})

test('[T3] a report that is cut off or of another form is none', () => {
  expect(parseReport('{"streams": [')).toBeUndefined()
  expect(parseReport('{"streams": [{}], "format": {"format_name": "mov"}}')).toBeUndefined()
  expect(parseReport('{"streams": [], "format": {"format_name": "mov"}}')).toBeDefined()
})

describe('[T6] the frame rate of the output', () => {
  const rate = (average: [number, number], ticks: [number, number] = average) => {
    const [a, t] = [average, ticks].map(([over, under]) => ({ over, under }))
    const { over, under } = outputRate({ average: a, ticks: t })
    return `${over}/${under}`
  }
  test.each<[string, string, string]>([
    ['23.976 stays', rate([24_000, 1_001]), '24000/1001'],
    ['29.97 stays', rate([30_000, 1_001]), '30000/1001'],
    ['a phone that is slightly off', rate([299, 10], [30, 1]), '30/1'],
    ['120 becomes 60', rate([120, 1]), '120/2'],
    ['239.76 becomes 59.94', rate([240_000, 1_001]), '240000/4004'],
    ['1 becomes 10', rate([1, 1]), '10/1'],
    ['variable, with ticks of 30', rate([20, 1], [30, 1]), '30/1'],
    ['variable, with ticks of a millisecond', rate([22, 1], [1_000, 1]), '24000/1001'],
    ['interlaced: ticks count fields', rate([25, 1], [50, 1]), '25/1'],
    ['variable and fast', rate([90, 1], [1_000, 1]), '60/1'],
  ])('%s', (_, found, expected) => {
    expect(found).toBe(expected)
  })

  test('always between 10 and 60', () => {
    const fraction = fc.record({
      over: fc.integer({ min: 1, max: 1e9 }),
      under: fc.integer({ min: 1, max: 1e9 }),
    })
    const maybe = fc.option(fraction, { nil: undefined })
    fc.assert(
      fc.property(maybe, maybe, (average, ticks) => {
        const found = ratioOf(outputRate({ average, ticks }))
        expect(found).toBeGreaterThanOrEqual(10 - 1e-9)
        expect(found).toBeLessThanOrEqual(60 + 1e-9)
      }),
    )
  })
})

describe('[T3] the length of the output tells what is wrong with a video', () => {
  const probed = { ...probedFrom({ format, streams: [picture] }), durationMs: 100_000 }
  test.each([
    ['as long as promised', probed, 100_000, false, false],
    ['rounded', probed, 96_000, false, false],
    ['a part is missing', probed, 94_000, true, false],
    ['longer than promised, and cut', probed, 109_990, false, true],
    ['shorter than measured', { ...probed, container: 'mpegts' }, 20_000, false, false],
    ['measured, and cut nevertheless', { ...probed, container: 'mpegts' }, 109_990, false, true],
  ])('%s', (_, given, foundMs, truncated, cut) => {
    expect([isTruncated(given, foundMs), isCut(given, foundMs)]).toEqual([truncated, cut])
  })
})
