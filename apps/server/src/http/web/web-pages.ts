import { extname } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isKnown } from '../document.ts'
import { type CompressedFile, createCompressedFiles } from './compressed-files.ts'
import { type CallableOrigins, policyOf } from './policy.ts'

export interface WebPages extends CallableOrigins {
  /** The built web app. */
  folder: string
}

/** TR7: where a try is played, in panes of the console. */
const tryAddress = '/try/:experimentId'

/** The page for an address. The rest of the address is for the page's own script. */
const pages: Record<string, readonly string[]> = {
  'index.html': ['/', '/join/:experimentId', '/experiment', tryAddress],
  'console.html': ['/console', '/console/*'],
  'signed-in.html': ['/signed-in'],
  // The builder shows drafts in it.
  'preview.html': ['/preview'],
  'frame.html': ['/frame.html'],
  'jspsych.html': ['/jspsych.html'],
}

/** The participant SDK for pages without a bundler, its types, and the licences of what is in it. */
const sdkFiles: Record<string, string> = {
  'atrium.js': 'text/javascript; charset=utf-8',
  'atrium.d.ts': 'text/plain; charset=utf-8',
  'LICENSES.txt': 'text/plain; charset=utf-8',
}

const methods = ['GET', 'HEAD']
/** Excludes anything that could lead to another folder. */
const assetName = /^[\w-][\w.-]*$/
const yearSeconds = 365 * 86_400
const forEver = { cacheControl: true, immutable: true, maxAge: yearSeconds * 1_000 }
/** What is worth compressing under /assets; the rest is compressed already. */
const texts: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** Serves the built web app. Files under /assets have a hash of their content in their name, so they never change. */
export function addWebPages(app: FastifyInstance, web: WebPages): void {
  app.register(fastifyStatic, { root: web.folder, serve: false, preCompressed: true, cacheControl: false })
  const compressed = createCompressedFiles(web.folder)
  const find = (request: FastifyRequest, path: string) =>
    // A range is one of the file as it is.
    request.headers.range === undefined
      ? compressed.find(path, request.headers['accept-encoding'])
      : Promise.resolve(undefined)
  for (const [page, addresses] of Object.entries(pages))
    for (const url of addresses)
      app.route({
        method: methods,
        url,
        handler: (_request, reply) => sendPage(reply, page, web, url === tryAddress),
      })
  app.route({
    method: methods,
    url: '/assets/:name',
    handler: async (request: FastifyRequest<{ Params: { name: string } }>, reply) => {
      const { name } = request.params
      if (!assetName.test(name)) return reply.callNotFound()
      reply
        .removeHeader('cache-control')
        .header('x-content-type-options', 'nosniff')
        // A sandboxed frame has an opaque origin, and browsers load modules and fonts only where that is allowed.
        .header('access-control-allow-origin', '*')
      const type = texts[extname(name)]
      const file = type === undefined ? undefined : await find(request, `assets/${name}`)
      if (type === undefined || file === undefined) return reply.sendFile(`assets/${name}`, forEver)
      reply.type(type).header('cache-control', `public, max-age=${yearSeconds}, immutable`)
      return sendCompressed(request, reply, file)
    },
  })
  app.route({
    method: methods,
    url: '/icon.svg',
    handler: (_request, reply) => reply.header('cache-control', 'no-cache').sendFile('icon.svg'),
  })
  for (const [name, type] of Object.entries(sdkFiles))
    app.route({
      method: methods,
      url: `/sdk/${name}`,
      handler: async (request, reply) => {
        const file = await find(request, `sdk/${name}`)
        forAnySite(reply).type(type)
        return file === undefined
          ? reply.sendFile(`sdk/${name}`, { contentType: false })
          : sendCompressed(request, reply, file)
      },
    })
  // What the example experiments show. Players read a video in ranges.
  app.route({
    method: methods,
    url: '/examples/:name',
    handler: (request: FastifyRequest<{ Params: { name: string } }>, reply) =>
      assetName.test(request.params.name)
        ? reply.header('cache-control', 'no-cache').sendFile(`examples/${request.params.name}`)
        : reply.callNotFound(),
  })
}

function sendCompressed(request: FastifyRequest, reply: FastifyReply, file: CompressedFile): FastifyReply {
  const { content, encoding, etag } = file
  reply.header('vary', 'accept-encoding').header('etag', etag)
  if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send()
  return reply.header('content-encoding', encoding).send(content)
}

/**
 * Browsers load modules of another site only if that site allows it, and everybody may: the file is public, and what it
 * may call is decided by PAGE_ORIGINS. It is asked for again at every visit (usually 304), so that it fits this server.
 */
const forAnySite = (reply: FastifyReply): FastifyReply =>
  reply
    .header('x-content-type-options', 'nosniff')
    .header('access-control-allow-origin', '*')
    .header('cross-origin-resource-policy', 'cross-origin')
    .header('cache-control', 'public, no-cache')

/** People who mistype an address get a page, not JSON. */
export const wantsPage = ({ method, headers, url }: FastifyRequest): boolean =>
  methods.includes(method) &&
  (headers.accept ?? '').includes('text/html') &&
  !/^\/(?:api|dev|health|media|socket\.io)(?:[/?]|$)/.test(url)

export const sendNotFoundPage = (reply: FastifyReply, web: WebPages): FastifyReply =>
  sendPage(reply.code(404), 'index.html', web)

function sendPage(reply: FastifyReply, page: string, origins: CallableOrigins, isTry = false): FastifyReply {
  return reply
    .header('content-security-policy', policyOf(page, origins, isTry))
    .header('referrer-policy', 'no-referrer')
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', 'no-cache') // The page names its assets: an old one would ask for files that are gone.
    .sendFile(page)
}

/**
 * `redirectUrl` of `room_assigned` leads here when there is no router, or when the router does not know the room. The
 * page reads the room from the query, as rule 4 of the contract says.
 */
export function addRoomPage(app: FastifyInstance, onlyPod: string | undefined): void {
  app.get<{ Params: { roomId: string } }>('/experiment/:roomId', async (request, reply) => {
    const { roomId } = request.params
    if (!/^room_[\w-]+$/.test(roomId)) return reply.callNotFound()
    const query = new URLSearchParams({ roomId, ...(onlyPod !== undefined && { pod: onlyPod }) })
    return reply.redirect(`/experiment?${query}`, 302)
  })
}
