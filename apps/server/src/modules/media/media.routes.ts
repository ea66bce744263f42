import { internalVideoRoutes, videoRoutes, videosPerPage, wholeNumberOf } from '@atrium/contract'
import type { Routes } from '../../http/route.ts'
import type { Identity } from '../identity/index.ts'
import type { Media } from './media.ts'

const done = { success: true } as const

export function addVideoRoutes(routes: Routes<Identity>, media: Media): void {
  routes.add(
    videoRoutes.list,
    async ({ identity, query }) =>
      await media.list(identity, {
        limit: wholeNumberOf(query.limit, videosPerPage),
        before: query.before ?? null,
      }),
  )
  routes.add(videoRoutes.read, async ({ params, identity }) => await media.read(params.videoId, identity))
  routes.add(videoRoutes.remove, async ({ params, identity }) => {
    await media.remove(params.videoId, identity)
    return done
  })
  routes.add(videoRoutes.retry, async ({ params }) => {
    await media.retry(params.videoId)
    return { ...done, message: 'Retry initiated' }
  })
}

/** For the functions and workers. In one process the pipeline calls the same use cases directly. */
export function addInternalVideoRoutes(routes: Routes, media: Media): void {
  routes.add(internalVideoRoutes.hlsSubmitted, async ({ params, body }) => {
    await media.submitted(params.videoId, body)
    return done
  })
  routes.add(internalVideoRoutes.hlsProgress, async ({ params, body }) => {
    await media.progressed(params.videoId, body)
    return done
  })
  routes.add(internalVideoRoutes.hlsComplete, async ({ params, body }) => {
    await media.completed(params.videoId, body)
    return done
  })
}
