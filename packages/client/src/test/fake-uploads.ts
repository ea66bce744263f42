import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type ErrorCode, errorCatalogue } from '@atrium/contract'
import { onTestFinished } from 'vitest'

/** What happens to the next request for a part, or for a route by its last word. */
type UploadMishap =
  | 'close'
  | 'drop_reply'
  | 'no_reply'
  | 'expired'
  | 'hang'
  | 'signs_nothing'
  | { status: number }
  | { code: ErrorCode }

interface FakeUpload {
  videoId: string
  uploadId: string
  key: string
  filename: string
  size: number
  parts: Map<number, Buffer>
  /** Set once it is complete. */
  content: Buffer | undefined
}

export type FakeUploads = Awaited<ReturnType<typeof startFakeUploads>>

/** The upload routes and their object store on loopback, as small as the uploader needs them. */
export async function startFakeUploads(partBytes: number) {
  const uploads = new Map<string, FakeUpload>()
  const requests: string[] = []
  const tokens: string[] = []
  const mishaps = new Map<string, UploadMishap[]>()
  let signatures = 0
  let inFlight = 0
  let maxInFlight = 0
  let hidesEtags = false

  const urlOf = ({ uploadId }: FakeUpload, part: number) =>
    `/objects/${uploadId}/${part}?signature=${++signatures}`
  const etagOf = (bytes: Buffer) => `"${createHash('md5').update(bytes).digest('hex')}"`

  function begin(filename: string, size: number): FakeUpload {
    const number = uploads.size + 1
    const upload = {
      videoId: `v${number}`,
      uploadId: `u${number}`,
      key: `videos/v${number}/original/${filename}`,
      filename,
      size,
      parts: new Map(),
      content: undefined,
    }
    uploads.set(upload.uploadId, upload)
    return upload
  }

  function underWay(uploadId: unknown): FakeUpload {
    const upload = uploads.get(String(uploadId))
    if (!upload || upload.content) throw new Refusal('UPLOAD_NOT_FOUND')
    return upload
  }

  const routes: Record<string, (body: Record<string, unknown>) => object> = {
    initiate({ filename, fileSize }) {
      const upload = begin(String(filename), Number(fileSize))
      const count = Math.ceil(upload.size / partBytes)
      const presignedUrls = Array.from({ length: count }, (_, index) => ({
        partNumber: index + 1,
        url: urlOf(upload, index + 1),
      }))
      return { videoId: upload.videoId, uploadId: upload.uploadId, key: upload.key, presignedUrls }
    },
    sign({ uploadId, partNumbers }) {
      const upload = underWay(uploadId)
      const numbers = partNumbers as number[]
      return { presignedUrls: numbers.map((partNumber) => ({ partNumber, url: urlOf(upload, partNumber) })) }
    },
    parts({ uploadId }) {
      const parts = [...underWay(uploadId).parts].map(([partNumber, bytes]) => ({
        partNumber,
        etag: etagOf(bytes),
        size: bytes.length,
      }))
      return { parts: parts.toSorted((one, other) => one.partNumber - other.partNumber) }
    },
    complete({ uploadId, parts }) {
      const upload = uploads.get(String(uploadId))
      if (upload?.content) return { success: true }
      const given = parts as { partNumber: number; etag: string }[]
      const stored = given.map(({ partNumber, etag }) => {
        const bytes = underWay(uploadId).parts.get(partNumber)
        if (!bytes || etagOf(bytes) !== etag) throw new Refusal('VALIDATION_FAILED')
        return bytes
      })
      underWay(uploadId).content = Buffer.concat(stored)
      return { success: true }
    },
    abort({ uploadId }) {
      if (uploads.get(String(uploadId))?.content) throw new Refusal('UPLOAD_COMPLETED')
      uploads.delete(underWay(uploadId).uploadId)
      return { success: true }
    },
  }

  const recordOf = ({ videoId, filename, size, key, uploadId, content }: FakeUpload) => ({
    videoId,
    filename,
    size,
    storageKey: key,
    uploadId: content ? null : uploadId,
    isOwn: true,
    createdAt: '2026-01-01T00:00:00.000Z',
  })

  async function answer(request: IncomingMessage, path: string, search: URLSearchParams): Promise<object> {
    if (request.method === 'PUT') return putPart(request, path)
    const last = path.split('/').at(-1) ?? ''
    const body = await bytesOf(request)
    if (path === '/api/upload/video') {
      const form = await new Response(new Uint8Array(body), {
        headers: { 'content-type': request.headers['content-type'] ?? '' },
      }).formData()
      const file = form.get('file') as File
      const upload = begin(file.name, file.size)
      upload.content = Buffer.from(await file.arrayBuffer())
      return { videoId: upload.videoId, key: upload.key }
    }
    if (path === '/api/videos') return { videos: [...uploads.values()].map(recordOf) }
    if (path.startsWith('/api/videos/')) {
      const upload = [...uploads.values()].find(({ videoId }) => videoId === last)
      if (!upload) throw new Refusal('VIDEO_NOT_FOUND')
      if (request.method === 'DELETE') uploads.delete(upload.uploadId)
      return recordOf(upload)
    }
    const given = request.method === 'GET' ? Object.fromEntries(search) : JSON.parse(body.toString())
    return routes[last]?.(given) ?? {}
  }

  async function putPart(request: IncomingMessage, path: string): Promise<object> {
    const [, , uploadId, part] = path.split('/')
    maxInFlight = Math.max(maxInFlight, ++inFlight)
    try {
      const bytes = await bytesOf(request)
      const upload = uploads.get(String(uploadId))
      if (!upload || upload.content) return { status: 404 }
      upload.parts.set(Number(part), bytes)
      return { etag: etagOf(bytes) }
    } finally {
      inFlight--
    }
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://store')
    const name =
      request.method === 'PUT' ? `part ${pathname.split('/').at(-1)}` : (pathname.split('/').at(-1) ?? '')
    requests.push(name)
    if (request.headers.authorization) tokens.push(request.headers.authorization)
    const mishap = mishaps.get(name)?.shift()
    if (mishap === 'close') return void request.socket.destroy()
    if (mishap === 'hang') return
    if (mishap === 'expired')
      return void response.writeHead(403).end('<Error><Message>Request has expired</Message></Error>')
    try {
      if (typeof mishap === 'object' && 'code' in mishap) throw new Refusal(mishap.code)
      if (typeof mishap === 'object') return void response.writeHead(mishap.status).end()
      const {
        etag,
        status = 200,
        ...body
      }: { etag?: string; status?: number } = await answer(request, pathname, searchParams)
      if (mishap === 'no_reply') return
      if (mishap === 'signs_nothing') return void response.end('{"presignedUrls":[]}')
      if (mishap === 'drop_reply') return void request.socket.destroy()
      if (etag !== undefined && !hidesEtags) response.setHeader('etag', etag)
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    } catch (error) {
      const code = error instanceof Refusal ? error.code : 'INTERNAL'
      const { status, sentence } = errorCatalogue[code]
      response.writeHead(status).end(JSON.stringify({ error: sentence, code, details: {} }))
    }
  }

  const server = createServer((request, response) => void serve(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')

  return {
    baseUrl: `http://127.0.0.1:${address.port}`,
    uploads,
    requests,
    tokens,
    maxInFlight: (): number => maxInFlight,
    /** By `part 3` or the last word of a route. */
    befall(name: string, ...happenings: UploadMishap[]): void {
      mishaps.set(name, happenings)
    },
    hideEtags(): void {
      hidesEtags = true
    },
    count: (name: string): number => requests.filter((request) => request.startsWith(name)).length,
    contents: (): (string | undefined)[] => [...uploads.values()].map(({ content }) => content?.toString()),
  }
}

class Refusal extends Error {
  readonly code: ErrorCode
  constructor(code: ErrorCode) {
    super(code)
    this.code = code
  }
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
