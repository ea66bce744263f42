import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { limits, type VideoRecord } from '@atrium/contract'
import { Server } from 'socket.io'
import { pendingVideo } from './media-records.ts'

const pages = fileURLToPath(new URL('../dist', import.meta.url))
const types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.m3u8': 'application/vnd.apple.mpegurl',
  '.ts': 'video/mp2t',
  '.jpg': 'image/jpeg',
}
/** As strict as the platform's. */
const policy =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src * data: blob:; media-src * data: blob:; connect-src 'self'"

/** Few, so that most stories read several pages. */
const videosPerPage = 2

interface Refusal {
  status: number
  code: string
  error: string
}

interface Upload {
  video: VideoRecord
  parts: Map<number, number>
}

export type MediaStub = Awaited<ReturnType<typeof startMediaStub>>

/** Answers the routes of videos and uploads from memory, and serves the built pages. `outputFolder` holds the output of a video. */
export async function startMediaStub({ outputFolder }: { outputFolder: string }) {
  let videos: VideoRecord[] = []
  const uploads = new Map<string, Upload>()
  const requests: string[] = []
  const refusals = new Map<string, Refusal[]>()
  const gates = new Map<string | RegExp, Promise<void>>()
  let ids = 0

  const replace = (video: VideoRecord) => {
    videos = [video, ...videos.filter(({ videoId }) => videoId !== video.videoId)]
  }
  const uploadOf = ({ uploadId }: { uploadId: string }) => {
    const upload = uploads.get(uploadId)
    if (!upload) throw { status: 404, code: 'UPLOAD_NOT_FOUND', error: 'There is no such upload under way.' }
    return upload
  }
  const signed = (uploadId: string, partNumbers: number[]) =>
    partNumbers.map((partNumber) => ({ partNumber, url: `/objects/${uploadId}/${partNumber}` }))

  const routes: Record<string, (request: IncomingMessage, url: URL) => Promise<object> | object> = {
    'GET /api/identity': () => ({ kind: 'development' }),
    'POST /dev/identity/token': () => ({ idToken: 'e30.e30.x', expiresIn: 3_600 }),
    'GET /api/experiments': () => ({ experiments: [] }),
    'GET /api/videos': (_, url) => {
      const last = url.searchParams.get('before')?.replace(/^\d+\./, '')
      const from = videos.findIndex(({ videoId }) => videoId === last) + 1
      const page = videos.slice(from, from + videosPerPage)
      const next = from + page.length < videos.length ? `0.${page.at(-1)?.videoId}` : null
      return { videos: page, next }
    },
    'POST /api/upload/video': async (request) => {
      const form = await new Response(await buffer(request), {
        headers: { 'content-type': request.headers['content-type'] ?? '' },
      }).formData()
      const file = form.get('file')
      if (!(file instanceof File)) throw { status: 400, code: 'VALIDATION_FAILED', error: 'No file.' }
      const video = pendingVideo(`vid_${++ids}`, { filename: file.name, size: file.size })
      replace({ ...video, contentType: file.type, createdAt: new Date().toISOString() })
      return { videoId: video.videoId, key: video.storageKey }
    },
    'POST /api/upload/video/multipart/initiate': async (request) => {
      const { filename, fileSize } = await jsonOf(request)
      const uploadId = `up_${++ids}`
      const createdAt = new Date().toISOString()
      const video = pendingVideo(`vid_${ids}`, { filename, size: fileSize, uploadId, createdAt })
      uploads.set(uploadId, { video, parts: new Map() })
      replace(video)
      return { videoId: video.videoId, uploadId, key: video.storageKey, presignedUrls: [] }
    },
    'POST /api/upload/video/multipart/sign': async (request) => {
      const { uploadId, partNumbers } = await jsonOf(request)
      uploadOf({ uploadId })
      return { presignedUrls: signed(uploadId, partNumbers) }
    },
    'GET /api/upload/video/multipart/parts': (_, url) => ({
      parts: [...uploadOf({ uploadId: url.searchParams.get('uploadId') ?? '' }).parts].map(
        ([partNumber, size]) => ({ partNumber, etag: `"${partNumber}"`, size }),
      ),
    }),
    'POST /api/upload/video/multipart/complete': async (request) => {
      const { uploadId, parts } = await jsonOf(request)
      const { video } = uploadOf({ uploadId })
      if (parts.length !== Math.ceil(video.size / limits.uploadPartBytes))
        throw { status: 400, code: 'VALIDATION_FAILED', error: 'A part is missing.' }
      uploads.delete(uploadId)
      replace({ ...video, uploadId: null })
      return { success: true }
    },
    'POST /api/upload/video/multipart/abort': async (request) => {
      const { uploadId } = await jsonOf(request)
      const { video } = uploadOf({ uploadId })
      uploads.delete(uploadId)
      videos = videos.filter(({ videoId }) => videoId !== video.videoId)
      return { success: true }
    },
  }

  /** Routes whose address names something. */
  const named = async (request: IncomingMessage, path: string): Promise<object | undefined> => {
    const [, videoId, isRetry] = /^\/api\/videos\/(\w+)(\/retry-hls)?$/.exec(path) ?? []
    const video = videos.find((each) => each.videoId === videoId)
    if (video && request.method === 'GET') return video
    if (video && request.method === 'DELETE') {
      videos = videos.filter((each) => each !== video)
      return { success: true }
    }
    if (video && isRetry) {
      replace(pendingVideo(video.videoId, { filename: video.filename }))
      return { success: true, message: 'Retry initiated' }
    }
    const [, uploadId = '', partNumber] = /^\/objects\/(\w+)\/(\d+)$/.exec(path) ?? []
    if (partNumber === undefined) return undefined
    const { parts } = uploadOf({ uploadId })
    parts.set(Number(partNumber), await countBytes(request))
    return {}
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://stub')
    const name = `${request.method} ${url.pathname}`
    requests.push(name)
    await [...gates].find(([held]) => (held instanceof RegExp ? held.test(name) : name.startsWith(held)))?.[1]
    const refusal = refusals.get(name)?.shift()
    if (refusal) throw refusal
    const body = routes[name] ? await routes[name](request, url) : await named(request, url.pathname)
    if (body) {
      const part = /^\/objects\/\w+\/(\d+)$/.exec(url.pathname)?.[1]
      if (part) response.setHeader('etag', `"${part}"`)
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    } else await sendFile(response, url.pathname)
  }

  async function sendFile(response: ServerResponse, path: string): Promise<void> {
    const file = path.startsWith('/console')
      ? join(pages, 'console.html')
      : path.startsWith('/media/')
        ? join(outputFolder, path.replace(/^.*\/hls\//, ''))
        : join(pages, path)
    const content = await readFile(file).catch(() => undefined)
    if (!content) return void response.writeHead(404).end()
    response
      .writeHead(200, {
        'content-type': types[extname(file)] ?? 'application/octet-stream',
        'content-security-policy': policy,
      })
      .end(content)
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: Partial<Refusal>) => {
      const { status = 500, code = 'INTERNAL', error: sentence = String(error) } = error
      request.resume()
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(JSON.stringify({ error: sentence, code, details: {} }))
    })
  })
  const io = new Server(server)
  const console = io.of('/console')
  const tokens: unknown[] = []
  console.on('connection', ({ handshake }) => tokens.push(handshake.auth.idToken))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    /** Tokens with which pages listen at present or have listened. */
    tokens,
    videos: () => videos,
    setVideos(next: VideoRecord[]): void {
      videos = next
    },
    /** Changes a record and tells the pages. */
    push(video: VideoRecord): void {
      replace(video)
      console.emit('video:updated', video)
    },
    /** Answers the next such request with a refusal. */
    refuse(name: string, refusal: Refusal): void {
      refusals.set(name, [...(refusals.get(name) ?? []), refusal])
    },
    /** Numbers of the parts of unfinished uploads. */
    storedParts: () => [...uploads.values()].flatMap(({ parts }) => [...parts.keys()]),
    /** Reads and answers no request whose name begins or is like this until the returned function is called. */
    hold(held: string | RegExp): () => void {
      const { promise, resolve } = Promise.withResolvers<void>()
      gates.set(held, promise)
      return () => {
        gates.delete(held)
        resolve()
      }
    },
    async stop(): Promise<void> {
      await io.close()
      server.closeAllConnections()
    },
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the stub trusts the page under test
const jsonOf = async (request: IncomingMessage): Promise<any> =>
  JSON.parse((await buffer(request)).toString())

/** Large files must not fill the memory of the test. */
async function countBytes(request: IncomingMessage): Promise<number> {
  let count = 0
  for await (const chunk of request) count += chunk.length
  return count
}
