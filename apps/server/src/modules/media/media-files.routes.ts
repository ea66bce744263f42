import { limits, mediaPerPage, mediaRoutes, wholeNumberOf } from '@atrium/contract'
import type { ArrivalRules } from '../../http/arrivals.ts'
import type { Routes } from '../../http/route.ts'
import type { Identity } from '../identity/index.ts'
import type { MediaFiles } from './files/media-files.ts'

const done = { success: true } as const

export function addMediaFileRoutes(
  routes: Routes<Identity>,
  files: MediaFiles,
  arrivals: Omit<ArrivalRules, 'places'>,
): void {
  const rules = {
    ...arrivals,
    places: limits.videosArriving,
    maxBytes: limits.uploadPartBytes,
    maxFiles: limits.media.filesPerUpload,
    // What they are is decided by their bytes.
    refuse: () => undefined,
    otherwise: 'Upload fewer files at a time.',
  }
  routes.addFiles(
    mediaRoutes.upload,
    rules,
    async ({ identity, body }) => await files.upload(identity, body.files),
  )
  routes.add(
    mediaRoutes.list,
    async ({ identity, query }) =>
      await files.list(identity, {
        kind: query.kind ?? null,
        limit: wholeNumberOf(query.limit, mediaPerPage),
        before: query.before ?? null,
      }),
  )
  routes.add(mediaRoutes.read, async ({ params, identity }) => await files.read(params.mediaId, identity))
  routes.add(
    mediaRoutes.rename,
    async ({ params, body, identity }) => await files.rename(params.mediaId, body.name, identity),
  )
  routes.add(mediaRoutes.remove, async ({ params, identity }) => {
    await files.remove(params.mediaId, identity)
    return done
  })
}
