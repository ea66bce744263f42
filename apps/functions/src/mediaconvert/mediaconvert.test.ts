import { type Source, type TranscodeJob, UnusableSource } from '@atrium/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { golden } from '../../test/golden.ts'
import { type StubAnswer, startStub } from '../../test/stub-service.ts'
import { createMediaConvert, sourceOf } from './mediaconvert.ts'

const video: TranscodeJob = {
  videoId: 'vid_7',
  storageKey: 'videos/vid_7/original/Café am Meer.mp4',
  levels: ['360p', '480p', '720p', '1080p'],
  source: { durationMs: 180_041, width: 1920, height: 1080, hasAudio: true },
  requestToken: 'a'.repeat(64),
}

describe('MediaConvert', () => {
  let stub: Awaited<ReturnType<typeof startStub>>
  let answer: StubAnswer
  beforeAll(async () => {
    stub = await startStub(() => answer)
  })
  afterAll(() => stub?.stop())
  const service = () =>
    createMediaConvert({
      bucket: 'study-videos',
      role: 'arn:aws:iam::111122223333:role/MediaConvert',
      endpoint: stub.url,
      client: {
        region: 'eu-central-1',
        credentials: { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'secret' },
        maxAttempts: 1,
      },
    })
  const refusal = (status: number, type: string, message = 'no'): StubAnswer => ({
    status,
    headers: { 'x-amzn-errortype': type },
    body: { message },
  })

  test.each([
    ['a video of 1080p with sound', 'mediaconvert-job', video],
    [
      'a small clip without sound',
      'mediaconvert-job-silent',
      {
        ...video,
        levels: ['360p'],
        source: { ...video.source, height: 240, hasAudio: false },
      } as TranscodeJob,
    ],
  ])('[J14] gets the job of %s in the form it takes', async (_name, file, job) => {
    answer = { status: 201, body: { job: { id: '1794813000000-opn151', status: 'SUBMITTED' } } }
    expect(await service().submit(job)).toBe('1794813000000-opn151')
    const { method, path, headers, body } = stub.seen.at(-1) ?? expect.fail()
    expect([method, path]).toEqual(['POST', '/2017-08-29/jobs'])
    expect(headers.authorization).toMatch(/^AWS4-HMAC-SHA256 /)
    expect(body).toEqual(golden(file))
  })

  test('[J15] is asked about the file where it is stored', async () => {
    answer = { status: 200, body: golden('probe-portrait') }
    expect(await service().probe(video.storageKey)).toEqual({
      durationMs: 12_512,
      width: 1080,
      height: 1920,
      hasAudio: false,
    })
    expect(stub.seen.at(-1)?.body).toEqual({
      inputFiles: [{ fileUrl: 's3://study-videos/videos/vid_7/original/Café am Meer.mp4' }],
    })
  })

  test.each([
    [
      'a damaged file',
      refusal(422, 'UnprocessableEntityException'),
      'This file is not a video, or it is damaged.',
    ],
    [
      'an address it cannot read',
      refusal(400, 'BadRequestException', 'fileUrl is invalid'),
      'MediaConvert does not accept this file: fileUrl is invalid',
    ],
    [
      'a file of no known format',
      { status: 200, body: { probeResults: [{ container: { tracks: [] } }] } },
      'This file is not a video, or it is damaged.',
    ],
    ['nothing', { status: 200, body: {} }, 'This file is not a video, or it is damaged.'],
    [
      'a recording of sound',
      {
        status: 200,
        body: { probeResults: [{ container: { format: 'mp4', tracks: [{ trackType: 'audio' }] } }] },
      },
      'This file has sound but no picture.',
    ],
  ])('[J16] that finds %s makes it unusable', async (_name, given, sentence) => {
    answer = given
    const error = await service()
      .probe(video.storageKey)
      .catch((error: unknown) => error)
    expect(error).toBeInstanceOf(UnusableSource)
    expect((error as Error).message).toBe(sentence)
  })

  test('[J16] that refuses a job for good makes the source unusable', async () => {
    answer = refusal(400, 'BadRequestException', 'Settings.Inputs[0] is not valid')
    await expect(service().submit(video)).rejects.toThrow(UnusableSource)
  })

  test.each([
    ['is throttling', 429, 'TooManyRequestsException'],
    ['denies access', 403, 'ForbiddenException'],
    ['fails', 500, 'InternalServerErrorException'],
    ['answers what nobody knows', 418, 'TeapotException'],
  ])('[J16] that %s is worth trying again', async (_name, status, type) => {
    answer = refusal(status, type)
    for (const call of [service().probe(video.storageKey), service().submit(video)]) {
      const error = await call.catch((error: unknown) => error)
      expect(error).toBeInstanceOf(Error)
      expect(error).not.toBeInstanceOf(UnusableSource)
    }
  })

  test('[J16] that names no job is worth trying again', async () => {
    answer = { status: 201, body: {} }
    await expect(service().submit(video)).rejects.toThrow('did not name it')
  })

  test.each([
    ['runs', { status: 202 }],
    ['has ended', refusal(409, 'ConflictException')],
    ['was never there', refusal(404, 'NotFoundException')],
  ])('[J16] cancels a job that %s', async (_name, given) => {
    answer = given
    await service().cancel('1794813000000-opn151')
    const { method, path } = stub.seen.at(-1) ?? expect.fail()
    expect([method, path]).toEqual(['DELETE', '/2017-08-29/jobs/1794813000000-opn151'])
  })

  test('[J16] that cannot cancel says so', async () => {
    answer = refusal(403, 'ForbiddenException')
    await expect(service().cancel('1794813000000-opn151')).rejects.toThrow()
  })
})

describe('[J15] the size of a source as displayed', () => {
  const sizeOf = (picture: object): Pick<Source, 'width' | 'height'> => {
    const { width, height } = sourceOf({
      Container: {
        Format: 'mp4',
        Tracks: [{ TrackType: 'video', VideoProperties: { Width: 720, Height: 576, ...picture } }],
      },
    })
    return { width, height }
  }

  test('has square pixels', () => {
    expect(sizeOf({})).toEqual({ width: 720, height: 576 })
    expect(sizeOf({ SampleAspectRatio: { Numerator: 64, Denominator: 45 } })).toEqual({
      width: 1024,
      height: 576,
    })
    expect(sizeOf({ SampleAspectRatio: { Numerator: 0, Denominator: 0 } })).toEqual({
      width: 720,
      height: 576,
    })
  })

  test('follows the container before the codec', () => {
    const CodecMetadata = { SampleAspectRatio: { Numerator: 64, Denominator: 45 } }
    expect(sizeOf({ CodecMetadata })).toEqual({ width: 1024, height: 576 })
    const SampleAspectRatio = { Numerator: 1, Denominator: 1 }
    expect(sizeOf({ CodecMetadata, SampleAspectRatio })).toEqual({ width: 720, height: 576 })
  })

  test.each([
    [90, { width: 576, height: 720 }],
    [180, { width: 720, height: 576 }],
    [270, { width: 576, height: 720 }],
  ])('is turned by %i degrees', (Rotation, size) => {
    expect(sizeOf({ Rotation })).toEqual(size)
  })
})
