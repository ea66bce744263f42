import { mediaRoot, objectKeys } from '@atrium/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Media } from './media.ts'
import { createReaders, type ReaderLimits, readerLimits } from './readers.ts'
import { allowAnyOrigin, answerPreflight, sendObject } from './send-object.ts'

const contentTypes: Readonly<Record<string, string>> = {
  m3u8: 'application/vnd.apple.mpegurl',
  ts: 'video/mp2t',
  m4s: 'video/iso.segment',
  mp4: 'video/mp4',
  jpg: 'image/jpeg',
  vtt: 'text/vtt; charset=utf-8',
}

/** Output is in one folder, and its names are ours: nothing here can lead elsewhere. */
const outputName = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,199}\.([a-z0-9]{1,4})$/
/** Names stay the same when a video is transcoded again, so no copy is kept for long. */
const longestCachedSeconds = { playlist: 10, segment: 3_600 }

type PlaybackMedia = Pick<Media, 'paths' | 'objects'>

/**
 * R32: the output of a video, to whoever has a path that we signed. The path is the credential, so pages of other sites
 * may read it too.
 */
export function addPlaybackRoutes(
  app: FastifyInstance,
  media: PlaybackMedia,
  clock: Clock,
  limits: ReaderLimits = readerLimits,
): void {
  const readers = createReaders(limits)
  /** Who does not read would hold a connection to the object store for as long as they like. */
  function watch({ ip }: FastifyRequest, { raw }: FastifyReply): void {
    if (raw.destroyed) return // They have gone already, and nothing would tell that again.
    const end = (): void => void raw.destroy()
    raw.once('close', readers.enter(ip, clock.now(), end))
    raw.setTimeout(limits.patienceMs, end)
  }

  const url = `${mediaRoot}:credential/videos/:videoId/hls/:name`
  app.route({
    method: ['GET', 'HEAD'],
    url,
    async handler(request, reply) {
      allowAnyOrigin(reply)
      const { key, contentType, maxAgeSeconds } = admit(request, media, clock)
      if (request.method === 'GET') watch(request, reply)
      return await sendObject(request, reply, media.objects, { key, contentType, maxAgeSeconds })
    },
  })
  app.options(url, answerPreflight)
  const fileUrl = `${mediaRoot}:credential/videos/media/:mediaId`
  app.route({
    method: ['GET', 'HEAD'],
    url: fileUrl,
    async handler(request, reply) {
      allowAnyOrigin(reply)
      const { key, maxAgeSeconds } = admitFile(request, media, clock)
      if (request.method === 'GET') watch(request, reply)
      // Whatever it may contain, it is nothing but a picture or a sound, wherever it is opened.
      reply.header('content-security-policy', "default-src 'none'; sandbox")
      return await sendObject(request, reply, media.objects, { key, contentType: null, maxAgeSeconds })
    },
  })
  app.options(fileUrl, answerPreflight)
}

/** The object that a genuine, living path leads to; throws for any other path. */
function admit({ params }: FastifyRequest, media: PlaybackMedia, clock: Clock) {
  const { credential, videoId, name } = params as { credential: string; videoId: string; name: string }
  const until = media.paths.validUntil(credential, videoId)
  if (until === undefined) throw expired()
  const extension = outputName.exec(name)?.[1] ?? ''
  const contentType = Object.hasOwn(contentTypes, extension) ? contentTypes[extension] : undefined
  if (contentType === undefined) throw new AppError('NOT_FOUND')
  const longest = extension === 'm3u8' ? longestCachedSeconds.playlist : longestCachedSeconds.segment
  const maxAgeSeconds = Math.max(0, Math.min(longest, Math.floor((until - clock.now()) / 1000)))
  return { key: objectKeys.hlsPrefix(videoId) + name, contentType, maxAgeSeconds }
}

/** V29: the file that a genuine, living path leads to. Its bytes never change, so a copy may live as long as the path. */
function admitFile({ params }: FastifyRequest, media: PlaybackMedia, clock: Clock) {
  const { credential, mediaId } = params as { credential: string; mediaId: string }
  const until = media.paths.validUntil(credential, mediaId)
  if (until === undefined) throw expired()
  const maxAgeSeconds = Math.max(0, Math.floor((until - clock.now()) / 1000))
  return { key: objectKeys.mediaFile(mediaId), maxAgeSeconds }
}

const expired = (): AppError =>
  new AppError('FORBIDDEN', {}, 'This address has expired or was changed. Ask for a new one.')
