import {
  experimentRoutes,
  limits,
  objectKeys,
  type RouteSpec,
  uploadRoutes,
  videoRoutes,
} from '@atrium/contract'
import { codeOf, createResearcher, smallestDefinition, succeeded, waitUntil } from '@atrium/testkit'
import { afterEach, expect, test } from 'vitest'
import { openRaw } from '../security/raw-http.ts'
import { mediaStage, readVideo, sendForm, submittedTimes, uploadFile } from './media-world.ts'

const stage = mediaStage()
afterEach(() => {
  stage().memory.trouble.kind = undefined
})

const part = limits.uploadPartBytes
const file = { filename: 'Ein Video (1).mp4', contentType: 'video/mp4; codecs="x"', fileSize: 2 * part + 7 }

const call = (route: RouteSpec, token: string, body: object) =>
  route.method === 'GET'
    ? stage().api.call(route, { token, query: body as Record<string, string> })
    : stage().api.call(route, { token, body })

async function begin(token = stage().ada.token, more: object = {}) {
  const body = { ...file, ...more }
  return succeeded(await stage().api.call(uploadRoutes.initiate, { token, body }))
}

/** Sends all parts, as a client does, and returns what it would claim. */
function sendParts(urls: { partNumber: number; url: string }[]) {
  return urls.map(({ partNumber, url }) => ({ partNumber, etag: stage().memory.putPart(url) }))
}

const issuesOf = (answer: { body: unknown }) =>
  (answer.body as { details: { issues: { path: string; message: string }[] } }).details.issues

test('[R31] a large file goes to the object store in parts, and becomes a video that waits for its transcoding', async () => {
  const { ada, memory, submitted } = stage()
  const { videoId, uploadId, key, presignedUrls } = await begin()
  expect(key).toBe(objectKeys.original(videoId, file.filename))
  expect(presignedUrls.map(({ partNumber }) => partNumber)).toEqual([1, 2, 3])
  expect(await readVideo(stage(), ada.token, videoId)).toMatchObject({
    uploadId,
    filename: file.filename,
    contentType: 'video/mp4',
    size: file.fileSize,
    storageKey: key,
    hlsStatus: 'pending',
    isOwn: true,
    usedBy: [],
    playbackUrl: null,
  })
  const parts = sendParts(presignedUrls)
  const body = { uploadId, key, parts }
  expect(succeeded(await call(uploadRoutes.complete, ada.token, body))).toEqual({ success: true })
  await submittedTimes(stage(), videoId, 1)
  expect(submitted.find((video) => video.videoId === videoId)).toEqual({
    videoId,
    storageKey: key,
    attempt: 1,
  })
  expect(await readVideo(stage(), ada.token, videoId)).toMatchObject({ uploadId: null, hlsStatus: 'pending' })
  expect(memory.objects.get(key)?.size).toBe(file.fileSize)
  // The answer may have been lost.
  expect(succeeded(await call(uploadRoutes.complete, ada.token, body))).toEqual({ success: true })
  await submittedTimes(stage(), videoId, 1)
})

test('[R31] an upload resumes with the parts that are stored and new addresses for the others', async () => {
  const { ada, memory } = stage()
  const { uploadId, key, presignedUrls } = await begin()
  const first = presignedUrls[0]?.url ?? ''
  const etag = memory.putPart(first)
  const { parts } = succeeded(
    await stage().api.call(uploadRoutes.parts, { token: ada.token, query: { uploadId, key } }),
  )
  expect(parts).toEqual([{ partNumber: 1, etag: etag.slice(1, -1), size: part }])
  const body = { uploadId, key, partNumbers: [3, 2, 3] }
  const again = succeeded(await stage().api.call(uploadRoutes.sign, { token: ada.token, body }))
  expect(again.presignedUrls.map(({ partNumber }) => partNumber)).toEqual([3, 2])
  const rest = sendParts(again.presignedUrls.toReversed())
  const claimed = [...parts, ...rest].map(({ partNumber, etag }) => ({ partNumber, etag }))
  succeeded(await call(uploadRoutes.complete, ada.token, { uploadId, key, parts: claimed }))
  const beyond = { uploadId: (await begin()).uploadId, key: '', partNumbers: [1] }
  expect(codeOf(await call(uploadRoutes.sign, ada.token, { ...beyond, key }))).toBe('UPLOAD_NOT_FOUND')
})

test('[V2] to others an upload does not exist; an administrator may finish it', async () => {
  const { bob, admin } = stage()
  const { uploadId, key, presignedUrls } = await begin()
  const parts = sendParts(presignedUrls)
  const attempts: [RouteSpec, object][] = [
    [uploadRoutes.sign, { uploadId, key, partNumbers: [1] }],
    [uploadRoutes.parts, { uploadId, key }],
    [uploadRoutes.complete, { uploadId, key, parts }],
    [uploadRoutes.abort, { uploadId, key }],
  ]
  for (const [route, body] of attempts) {
    const refused = await call(route, bob.token, body)
    expect([refused.status, codeOf(refused)], route.path).toEqual([404, 'UPLOAD_NOT_FOUND'])
    const unknown = await call(route, bob.token, { ...body, key: 'videos/vid_none/original/film.mp4' })
    expect(unknown.body).toEqual(refused.body)
    for (const wrong of [{ uploadId: 'other' }, { key: 'videos/../original/x' }, { key: `${key}x` }])
      expect(codeOf(await call(route, stage().ada.token, { ...body, ...wrong })), route.path).toBe(
        'UPLOAD_NOT_FOUND',
      )
  }
  expect((await call(uploadRoutes.complete, admin, { uploadId, key, parts })).status).toBe(200)
})

test.each<[string, object, string]>([
  ['a path', { filename: '../film.mp4' }, '/filename'],
  ['a folder', { filename: '..' }, '/filename'],
  ['no name', { filename: '' }, '/filename'],
  ['a name too long for a key', { filename: '😀'.repeat(250) }, '/filename'],
  ['a name that no list of keys can hold', { filename: 'film\uFFFF.mp4' }, '/filename'],
  ['an audio type', { contentType: 'audio/mp4' }, '/contentType'],
  ['no size', { fileSize: 0 }, '/fileSize'],
  ['half a byte', { fileSize: 1.5 }, '/fileSize'],
  ['more than MAX_VIDEO_BYTES', { fileSize: limits.videoBytes + 1 }, '/fileSize'],
  ['more than a number holds', { fileSize: 1e300 }, '/fileSize'],
  ['something unheard of', { force: true }, '/force'],
])('[V3] a file with %s is refused before anything is begun', async (_name, more, path) => {
  const { ada, memory } = stage()
  const before = memory.uploads.size
  const answer = await call(uploadRoutes.initiate, ada.token, { ...file, ...more })
  expect([answer.status, codeOf(answer)]).toEqual([400, 'VALIDATION_FAILED'])
  expect(issuesOf(answer)[0]?.path).toBe(path)
  expect(memory.uploads.size).toBe(before)
})

test.each(['bad host', 'bad%zzhost', 'a'.repeat(5_000), 'host:port'])(
  '[V14,H1] a host that cannot be part of an address is refused before anything is begun (%.12s)',
  async (host) => {
    const { ada, memory, http } = stage()
    const before = memory.uploads.size
    const headers = {
      authorization: `Bearer ${ada.token}`,
      'content-type': 'application/json',
      'x-forwarded-host': host,
    }
    const body = JSON.stringify(file)
    const answer = await fetch(http + uploadRoutes.initiate.path, { method: 'POST', headers, body })
    expect([answer.status, await answer.json()]).toMatchObject([421, { code: 'HOST_REFUSED' }])
    expect(memory.uploads.size).toBe(before)
  },
)

test('[V1] an upload whose addresses cannot be signed leaves no record behind', async () => {
  const { ada, memory, api } = stage()
  const newest = async () =>
    succeeded(await api.call(videoRoutes.list, { token: ada.token })).videos[0]?.videoId
  const before = await newest()
  const { signPart } = memory.blobs
  memory.blobs.signPart = () => Promise.reject(new Error('no credentials'))
  const answer = await call(uploadRoutes.initiate, ada.token, file)
  memory.blobs.signPart = signPart
  expect([answer.status, codeOf(answer)]).toEqual([503, 'UNAVAILABLE'])
  expect(await newest()).toBe(before)
})

test('[V3] wrong parts are refused with their path, and change nothing', async () => {
  const { ada, memory } = stage()
  const { videoId, uploadId, key, presignedUrls } = await begin()
  const complete = (parts: object[]) => call(uploadRoutes.complete, ada.token, { uploadId, key, parts })
  const short = presignedUrls.map(({ partNumber, url }) => ({ partNumber, etag: memory.putPart(url, 5) }))
  expect(issuesOf(await complete(short)).map(({ path }) => path)).toEqual([
    '/parts/0',
    '/parts/1',
    '/parts/2',
  ])
  const parts = sendParts(presignedUrls)
  for (const [wrong, path] of [
    [parts.toReversed(), '/parts/0/partNumber'],
    [parts.slice(0, 2), '/parts'],
    [[...parts.slice(0, 2), { partNumber: 3, etag: 'wrong' }], '/parts/2/etag'],
    [[...parts, { partNumber: 3, etag: 'again' }], '/parts/3/partNumber'],
    [[{ partNumber: 0, etag: 'x' }], '/parts/0/partNumber'],
  ] as const) {
    const answer = await complete([...wrong])
    expect([answer.status, codeOf(answer)]).toEqual([400, 'VALIDATION_FAILED'])
    expect(issuesOf(answer)[0]?.path).toBe(path)
  }
  expect(await readVideo(stage(), ada.token, videoId)).toMatchObject({ uploadId })
  expect((await complete(parts)).status).toBe(200)
})

test('[V4] an upload that was completed in the object store but not recorded is completed by repeating the call', async () => {
  const { ada, memory } = stage()
  const { videoId, uploadId, key, presignedUrls } = await begin()
  const parts = sendParts(presignedUrls)
  await memory.blobs.completeUpload({ uploadId, key }, parts)
  expect((await call(uploadRoutes.complete, ada.token, { uploadId, key, parts })).status).toBe(200)
  await submittedTimes(stage(), videoId, 1)
})

test('[V4] several calls at the same time complete an upload once', async () => {
  const { ada } = stage()
  const { videoId, uploadId, key, presignedUrls } = await begin()
  const body = { uploadId, key, parts: sendParts(presignedUrls) }
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => call(uploadRoutes.complete, ada.token, body)),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  await submittedTimes(stage(), videoId, 1)
})

test('[V4] an abandoned upload leaves nothing; a complete one cannot be abandoned', async () => {
  const { ada, memory, api } = stage()
  const { videoId, uploadId, key, presignedUrls } = await begin()
  sendParts(presignedUrls)
  const upload = { uploadId, key }
  expect(succeeded(await call(uploadRoutes.abort, ada.token, upload))).toEqual({ success: true })
  expect([...memory.uploads.values()].some((open) => open.key === key)).toBe(false)
  expect(codeOf(await call(uploadRoutes.abort, ada.token, upload))).toBe('UPLOAD_NOT_FOUND')
  expect(codeOf(await call(uploadRoutes.parts, ada.token, upload))).toBe('UPLOAD_NOT_FOUND')
  const read = await api.call(videoRoutes.read, { token: ada.token, params: { videoId } })
  expect([read.status, read.body]).toMatchObject([404, { error: 'Video not found' }])
  const done = (await uploadDone()).upload
  const refused = await call(uploadRoutes.abort, ada.token, done)
  expect([refused.status, codeOf(refused)]).toEqual([409, 'UPLOAD_COMPLETED'])
})

test('[V23] nobody has more than their share of uploads under way, and room again when they abandon one', async () => {
  const { api } = stage()
  const { token } = await createResearcher(api)
  const initiate = () =>
    api.call(uploadRoutes.initiate, { token, body: { ...file, fileSize: 5, filename: 'a.mp4' } })
  const first = succeeded(await initiate())
  const others = Array.from({ length: limits.openUploadsPerResearcher - 1 }, initiate)
  for (const answer of await Promise.all(others)) succeeded(answer)
  expect(codeOf(await initiate())).toBe('UPLOAD_LIMIT')
  await begin()
  succeeded(await call(uploadRoutes.abort, token, { uploadId: first.uploadId, key: first.key }))
  succeeded(await initiate())
  expect(codeOf(await initiate())).toBe('UPLOAD_LIMIT')
})

test('[V4] an upload cannot be abandoned while an experiment uses its video', async () => {
  const { ada, api, memory } = stage()
  const { videoId, uploadId, key, presignedUrls } = await begin()
  const globalComponents = [{ id: 'film', type: 'video', videoId }]
  const experimentId = await ada.openExperiment(smallestDefinition({ globalComponents }))
  const abort = () => call(uploadRoutes.abort, ada.token, { uploadId, key })
  const refused = await abort()
  expect([refused.status, refused.body]).toMatchObject([
    409,
    { code: 'VIDEO_IN_USE', details: { experiments: [{ experimentId }] } },
  ])
  sendParts(presignedUrls)
  expect([...memory.uploads.values()].filter((open) => open.key === key)).toHaveLength(1)
  const revision = { token: ada.token, params: { experimentId }, body: smallestDefinition() }
  succeeded(await api.call(experimentRoutes.revise, revision))
  expect(succeeded(await abort())).toEqual({ success: true })
})

async function uploadDone() {
  const { uploadId, key, presignedUrls, videoId } = await begin()
  const upload = { uploadId, key }
  succeeded(
    await call(uploadRoutes.complete, stage().ada.token, { ...upload, parts: sendParts(presignedUrls) }),
  )
  return { upload, videoId }
}

test('[V1] a full or unreachable object store is told as what it is, and leaves no record behind', async () => {
  const { ada, memory, api } = stage()
  const listed = async () => succeeded(await api.call(videoRoutes.list, { token: ada.token })).videos.length
  const before = await listed()
  memory.trouble.kind = 'full'
  const full = await call(uploadRoutes.initiate, ada.token, file)
  expect([full.status, codeOf(full)]).toEqual([507, 'STORAGE_FULL'])
  expect(await uploadFile(stage(), ada.token)).toMatchObject({ status: 507, body: { code: 'STORAGE_FULL' } })
  memory.trouble.kind = 'away'
  const away = await call(uploadRoutes.initiate, ada.token, file)
  expect([away.status, codeOf(away)]).toEqual([503, 'UNAVAILABLE'])
  expect(away.text).not.toContain('ECONNREFUSED')
  expect(await listed()).toBe(before)
})

test('[R31] a small file is uploaded in one request', async () => {
  const { ada, memory } = stage()
  const { status, body } = await uploadFile(stage(), ada.token, 'Überfilm+1.mp4', 'frames')
  expect(status).toBe(200)
  expect(body.key).toBe(`videos/${body.videoId}/original/Überfilm+1.mp4`)
  expect(memory.objects.get(body.key)).toMatchObject({
    contentType: 'video/mp4',
    bytes: Buffer.from('frames'),
  })
  expect(await readVideo(stage(), ada.token, body.videoId)).toMatchObject({
    filename: 'Überfilm+1.mp4',
    size: 6,
    uploadId: null,
    hlsStatus: 'pending',
  })
  await submittedTimes(stage(), body.videoId, 1)
})

test('[V3] whatever is not one video in the field `file` is refused with a sentence', async () => {
  const { ada, memory } = stage()
  const before = memory.objects.size
  const video = (text = 'x', type = 'video/mp4') => new Blob([text], { type })
  const form = (...fields: [string, Blob | string, string?][]) => {
    const body = new FormData()
    for (const [name, value, filename] of fields)
      if (typeof value === 'string') body.append(name, value)
      else body.append(name, value, filename ?? 'film.mp4')
    return body
  }
  const boundary = { 'content-type': 'multipart/form-data; boundary=x' }
  for (const [body, sentence, headers] of [
    [form(), /multipart|missing/],
    [form(['other', video()]), /not in ‘file’/],
    [form(['file', video()], ['file', video()]), /more than one file/],
    [form(['file', video('x', 'text/html')]), /video type/],
    [form(['file', video('')]), /empty/],
    [form(['file', video(), '..']), /name must be/],
    [form(['file', video(), 'film\uFFFE.mp4']), /name must be/],
    [form(['file', 'just text']), /missing/],
    ['{}', /multipart\/form-data/, { 'content-type': 'application/json' }],
    ['', /multipart\/form-data/],
    ['x', /boundary/, { 'content-type': 'multipart/form-data; charset=x' }],
    ['--y', /valid multipart/, boundary],
    [
      '--x\r\nContent-Disposition: form-data; name="file"; filename="a.mp4"\r\nContent-Type: video/mp4\r\n\r\nab',
      /valid multipart/,
      boundary,
    ],
  ] as [FormData | string, RegExp, object?][]) {
    const answer = await sendForm(stage(), ada.token, body, headers)
    expect(answer, String(sentence)).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } })
    expect(answer.body.error).toMatch(sentence)
  }
  expect(memory.objects.size).toBe(before)
})

test('[V20] somebody who sends many files slowly keeps nobody else from sending theirs', async () => {
  const { ada, bob, http } = stage()
  const statusFor = async (token: string) => (await uploadFile(stage(), token)).status
  const head = [
    `POST ${uploadRoutes.direct.path} HTTP/1.1`,
    `Host: ${new URL(http).host}`,
    `Authorization: Bearer ${ada.token}`,
    'User-Agent: atrium-test/1.0',
    'Content-Type: multipart/form-data; boundary=x',
    'Content-Length: 1000',
  ]
  const slow = Array.from({ length: 6 }, () => openRaw(http))
  for (const { write } of slow) write(`${head.join('\r\n')}\r\n\r\n--x\r\n`)
  // Four have places, and two are refused. Only then is there none left for a seventh.
  const refused = () => slow.filter(({ socket }) => socket.bytesRead > 0).length
  await waitUntil(() => refused() === 2 || `${refused()} are refused`)
  expect(await statusFor(ada.token)).toBe(503)
  expect(await statusFor(bob.token)).toBe(200)
  for (const { socket } of slow) socket.destroy()
  await waitUntil(async () => (await statusFor(ada.token)) === 200 || 'the places are not free yet')
})
