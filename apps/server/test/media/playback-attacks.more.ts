import { request } from 'node:http'
import { objectKeys } from '@atrium/contract'
import { expect, test } from 'vitest'
import { readVideo, readyVideo } from './media-world.ts'
import { videoStage } from './video-stage.ts'

// What somebody tries who holds the path of one video (R32), and wants another, the original, or more time.
const { stage } = videoStage()

interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: string
}

/** Sends the path as it is: fetch would tidy it up. */
function send(path: string, method = 'GET', headers: Record<string, string> = {}): Promise<Answer> {
  const { hostname, port } = new URL(stage().http)
  return new Promise((resolve, reject) => {
    const sending = request({ hostname, port, method, path, headers }, (response) => {
      let body = ''
      response.on('data', (chunk) => {
        body += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }))
    })
    sending.on('error', reject)
    sending.end()
  })
}

const replace = (from: string | RegExp, to: string) => (path: string) => path.replace(from, to)
const name = (to: string) => replace('master.m3u8', to)
const expiry = (to: string) => replace(/\/media\/(\d+)\./, `/media/${to}.`)
const signature = (to: string) => replace(/\.([\w-]{43})\//, `.${to}/`)

test('[V11] a path that was changed in any way plays nothing', async () => {
  const { ada, bob } = stage()
  const videoId = await readyVideo(stage(), ada.token)
  const other = await readyVideo(stage(), bob.token)
  const { playbackUrl: path } = await readVideo(stage(), ada.token, videoId)
  const master = path ?? ''
  const later = String(Number(/\/media\/(\d+)/.exec(master)?.[1]) + 3_600)
  const changes: Record<string, (path: string) => string> = {
    'another video': (text) => text.replaceAll(videoId, other),
    'another video behind this one': replace(videoId, `${videoId}%2F..%2F${other}`),
    'another video by way of a name': name(`..%2F..%2F${other}%2Fhls%2Fmaster.m3u8`),
    'a path that goes up': replace('/hls/', `/hls/../../${other}/hls/`),
    'a path that goes up, encoded': replace('/hls/', `/hls/%2e%2e/%2e%2e/${other}/hls/`),
    'a path that goes up, with a backslash': name('..%5C..%5Coriginal%5Cfilm.mp4'),
    'the original': replace('/hls/master.m3u8', '/original/film.mp4'),
    'the original by way of a name': name('..%2Foriginal%2Ffilm.mp4'),
    'the original, encoded twice': name('%252e%252e%252foriginal%252ffilm.mp4'),
    'an object of the store itself': replace(/^\/media\/[^/]+\//, '/objects/atrium/'),
    'a name with a NUL': name('master.m3u8%00.ts'),
    'a name with a line break': name('master.m3u8%0d%0aSet-Cookie:a=b'),
    'a name that cannot be decoded': name('%ff.m3u8'),
    'a name with another ending': name('master.html'),
    'a folder': name(''),
    'a second slash': replace('/videos/', '//videos/'),
    'other letters': replace('/videos/', '/VIDEOS/'),
    'a video in other letters': replace(videoId, videoId.toUpperCase()),
    'more time': expiry(later),
    'time with a zero before it': expiry('0$1'),
    'time with a sign': expiry('+$1'),
    'time with a blank': expiry('%20$1'),
    'time with an exponent': expiry('9e9'),
    'time in base 16': expiry('0xffffffff'),
    'time in other digits': expiry('%D9%A9%D9%A9%D9%A9%D9%A9%D9%A9%D9%A9%D9%A9%D9%A9%D9%A9%D9%A9'),
    'time without end': expiry('Infinity'),
    'very much time': expiry('9'.repeat(13)),
    'no time': expiry(''),
    'half a signature': replace(/\.([\w-]{21})[\w-]{22}\//, '.$1/'),
    'a signature and more': signature('$1A'),
    'a signature with padding': signature('$1='),
    'two signatures': signature('$1.$1'),
    'no signature': signature(''),
    'a signature of nothing but A': signature('A'.repeat(43)),
    'a signature in the query': (text) => `${text.replace(/\/media\/[^/]+/, '/media/1.x')}?signature=x`,
  }
  for (const [what, change] of Object.entries(changes)) {
    const changed = change(master)
    expect(changed, what).not.toBe(master)
    const { status, headers, body } = await send(changed)
    expect([400, 403, 404], `${what}: ${status}`).toContain(status)
    expect(body, what).not.toContain('#EXTM3U')
    expect(headers['set-cookie'], what).toBeUndefined()
    expect(headers['cache-control'] ?? 'no-store', what).not.toContain('public')
  }
  expect((await send(master)).body).toBe('#EXTM3U\n')
  expect((await send(`${master}?any=thing`)).body).toBe('#EXTM3U\n')
})

test('[V11] a path changes nothing, tells no other site who asks, and never depends on the name of the server', async () => {
  const { ada, memory } = stage()
  const videoId = await readyVideo(stage(), ada.token)
  const { playbackUrl: path } = await readVideo(stage(), ada.token, videoId)
  const master = path ?? ''
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
    expect([404, 405], method).toContain((await send(master, method)).status)
  expect(await memory.blobs.head(objectKeys.manifest(videoId))).toBeDefined()
  const asked = await send(master, 'GET', {
    origin: 'https://evil.example.org',
    cookie: 'session=x',
    host: 'another.localhost',
    'x-forwarded-host': 'another.localhost',
  })
  expect(asked.status).toBe(200)
  expect(asked.headers).toMatchObject({
    'access-control-allow-origin': '*',
    'x-content-type-options': 'nosniff',
  })
  expect(asked.headers['access-control-allow-credentials']).toBeUndefined()
  expect(JSON.stringify([asked.headers, asked.body])).not.toMatch(/evil\.example\.org|another\.localhost/)
  const preflight = await send(master, 'OPTIONS', {
    origin: 'https://evil.example.org',
    'access-control-request-method': 'DELETE',
  })
  expect(preflight.headers['access-control-allow-methods']).toBe('GET, HEAD')
  expect(preflight.headers['access-control-allow-credentials']).toBeUndefined()
})
