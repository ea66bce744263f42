import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createTemporaryFolder, runnableOf } from '@atrium/testkit'
import { expect, it, onTestFinished } from 'vitest'

const script = runnableOf(fileURLToPath(new URL('./upload.ts', import.meta.url)))
const run = promisify(execFile)

function setUp() {
  const folder = createTemporaryFolder('upload-script')
  onTestFinished(() => folder.remove())
  const env = { ...process.env, XDG_STATE_HOME: folder.path }
  const file = (name: string, content = 'a video') => {
    writeFileSync(join(folder.path, name), content)
    return join(folder.path, name)
  }
  return { file, upload: (...args: string[]) => run(process.execPath, [script, ...args], { env }) }
}

/** A platform that answers every request alike. */
async function platformThatSays(
  status: number,
  body: object,
  onRequest: (path: string, body: string) => void = () => undefined,
): Promise<string> {
  const server = createServer(async (request, response) => {
    onRequest(request.url ?? '', await text(request))
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

it('[R31] says what is wrong with the command', async () => {
  const { upload, file } = setUp()
  const usage = expect.stringContaining('npm run upload -- <files>')
  // At the same time: starting a program is what takes long on a busy machine.
  await Promise.all([
    expect(upload()).rejects.toMatchObject({ code: 2, stderr: usage }),
    expect(upload(file('film.mp4'), '--sever', 'x')).rejects.toMatchObject({ code: 2, stderr: usage }),
    expect(upload('no-such-film.mp4')).rejects.toMatchObject({
      code: 2,
      stderr: 'There is no file no-such-film.mp4.\n',
    }),
  ])
})

it('[R31] says why a file cannot be uploaded', async () => {
  const { upload, file } = setUp()
  const refusing = await platformThatSays(403, { error: 'Not allowed.', code: 'FORBIDDEN', details: {} })
  const withoutIssuer = await platformThatSays(404, {
    error: 'Nothing here.',
    code: 'NOT_FOUND',
    details: {},
  })
  const refused = upload(file('film.mp4'), '--server', refusing, '--token', 't')
  const noVideo = upload(file('notes.txt'), '--server', refusing, '--token', 't')
  const empty = upload(file('empty.mp4', ''), '--server', refusing, '--token', 't')
  const notSignedIn = upload(file('film.mp4'), '--server', withoutIssuer)
  await Promise.all([
    expect(refused).rejects.toMatchObject({
      code: 1,
      stderr: 'The platform refused the upload: Not allowed. (FORBIDDEN)\n',
    }),
    expect(noVideo).rejects.toMatchObject({
      code: 1,
      stderr: 'notes.txt is not a video that the platform knows.\n',
    }),
    expect(empty).rejects.toMatchObject({ code: 1, stderr: 'empty.mp4 is empty.\n' }),
    expect(notSignedIn).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Give an ID token'),
    }),
  ])
})

it('[R31] prints the id of the video', async () => {
  const { upload, file } = setUp()
  const accepting = await platformThatSays(200, { videoId: 'v1', key: 'videos/v1/original/film.mp4' })
  const { stdout, stderr } = await upload(file('film.mp4'), '--server', accepting, '--token', 't')
  expect(stdout).toContain('Its id: v1')
  expect(stderr).toBe('')
})

it('[R67] uploads pictures, sounds and ZIPs of them together, and then the videos', async () => {
  const { upload, file } = setUp()
  const taken: string[] = []
  const stored = (name: string, kind: string) => ({ mediaId: `id of ${name}`, name, kind, bytes: 7 })
  const accepting = await platformThatSays(
    200,
    { videoId: 'v1', key: 'k', media: [stored('face.png', 'picture'), stored('hum.wav', 'sound')] },
    (path, body) =>
      taken.push(`${path} ${[...body.matchAll(/filename="([^"]+)"/g)].map(([, name]) => name)}`),
  )
  const files = [file('face.png'), file('film.mp4'), file('set.ZIP')]
  const { stdout, stderr } = await upload(...files, '--server', accepting, '--token', 't')
  expect(taken).toEqual(['/api/upload/media face.png,set.ZIP', '/api/upload/video film.mp4'])
  expect(stdout.split('\n')).toMatchObject([
    'face.png is uploaded as a picture. Its id: id of face.png',
    'hum.wav is uploaded as a sound. Its id: id of hum.wav',
    expect.stringContaining('Its id: v1'),
    '',
  ])
  expect(stderr).toBe('')
})

it('[R67] says why the platform refused pictures', async () => {
  const { upload, file } = setUp()
  const error = '‘face.png’ is neither a picture nor a sound.'
  const refusing = await platformThatSays(400, { error, code: 'VALIDATION_FAILED', details: {} })
  await expect(upload(file('face.png'), '--server', refusing, '--token', 't')).rejects.toMatchObject({
    code: 1,
    stderr: `The platform refused the upload: ${error} (VALIDATION_FAILED)\n`,
  })
})
