import { addObjects } from '../http/objects.ts'
import type { IdentityCheck } from '../modules/identity/index.ts'
import { serveConsoleSockets } from '../modules/media/console.socket.ts'
import { createMedia } from '../modules/media/index.ts'
import { addInternalVideoRoutes, addVideoRoutes } from '../modules/media/media.routes.ts'
import { addMediaFileRoutes } from '../modules/media/media-files.routes.ts'
import { addPlaybackRoutes } from '../modules/media/playback.routes.ts'
import { addUploadRoutes } from '../modules/media/uploads.routes.ts'
import type { HttpEdge, SocketEdge } from './outside.ts'
import type { Ports } from './ports.ts'
import type { openVideo } from './video.ts'

interface MediaPeers {
  identities: IdentityCheck
  /** Chooses where videos are stored and who transcodes them. */
  openVideo: typeof openVideo
}

/** Videos: whoever transcodes them reports to the module, which is opened on what they have chosen. */
export async function openMedia(ports: Ports, { identities, openVideo }: MediaPeers) {
  const { config, database, secrets, bus, clock, logger, onBackgroundError } = ports
  const video = await openVideo(config, {
    reports: {
      submitted: (videoId, job) => media.submitted(videoId, job),
      progressed: (videoId, report) => media.progressed(videoId, report),
      completed: (videoId, outcome) => media.completed(videoId, outcome),
    },
    secrets,
    clock,
    logger,
    onBackgroundError,
  })
  const media = createMedia({
    ...config.video,
    ...video,
    store: database.media,
    mediaFiles: database.mediaFiles,
    secrets,
    bus,
    clock,
    onBackgroundError,
  })
  return {
    media,
    routes({ app, routes }: HttpEdge): void {
      addUploadRoutes(routes, { media, arrivals: ports.arrivals, publicUrl: config.publicUrl })
      addVideoRoutes(routes, media)
      addMediaFileRoutes(routes, media.files, ports.arrivals)
      addInternalVideoRoutes(routes, media)
      addPlaybackRoutes(app, media, clock)
      if (video.handleObjects) addObjects(app, video.handleObjects, config.publicUrl)
    },
    sockets({ personHandshakes, onDefect, onClose }: SocketEdge): void {
      const deps = { handshakes: personHandshakes, identities, media, bus, clock, onDefect }
      onClose(serveConsoleSockets(deps).close)
    },
    sweep: media.sweep,
    stop: media.stop,
    /** Once nothing is uploaded or watched any more. */
    close: video.close,
  }
}
