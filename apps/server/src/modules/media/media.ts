import type { ExperimentDefinition } from '@atrium/contract'
import type { Clock } from '../../kernel/clock.ts'
import type { BlobStore } from '../../ports/blob-store.ts'
import type { Bus } from '../../ports/bus.ts'
import type { Identity } from '../identity/index.ts'
import { createDefinitionChecks } from './definition-checks.ts'
import { createMediaFiles } from './files/media-files.ts'
import { createVideoLifecycle } from './lifecycle.ts'
import type { MediaStore } from './media.store.ts'
import type { MediaFileStore } from './media-files.store.ts'
import { createObjectAccess } from './object-access.ts'
import { createMediaPaths } from './signed-paths.ts'
import { createMediaSweep } from './sweep.ts'
import { createTranscoding, type TranscodingDeps } from './transcoding.ts'
import { maxDirectBytes } from './uploaded-file.ts'
import { createDirectUpload, createUploads } from './uploads.ts'
import { createVideos } from './videos.ts'

export interface MediaDeps extends TranscodingDeps {
  store: MediaStore
  mediaFiles: MediaFileStore
  /** Undefined: this installation takes no videos. */
  blobs: BlobStore | undefined
  /** Stops a job if it still runs. */
  cancelJob(jobId: string): Promise<void>
  bus: Bus
  clock: Clock
  /** Shared by all instances: sign the paths from which videos are played. */
  secrets: readonly [string, ...string[]]
  pathLifetimeMs: number
  /** MAX_VIDEO_BYTES */
  maxBytes: number
  onBackgroundError(error: unknown): void
}

export type Media = ReturnType<typeof createMedia>

/** Uploaded videos: from the first byte to a stream that participants play. */
export function createMedia(deps: MediaDeps) {
  const objects = createObjectAccess(deps.blobs)
  const paths = createMediaPaths({ ...deps, lifetimeMs: deps.pathLifetimeMs })
  const lifecycle = createVideoLifecycle({
    ...deps,
    objects,
    hasObjects: deps.blobs !== undefined,
    submitSoon: () => transcoding.submitSoon(),
  })
  const transcoding = createTranscoding(lifecycle, deps)
  const files = createMediaFiles({ ...deps, store: deps.mediaFiles, objects, paths })
  const checks = createDefinitionChecks(deps.store)
  const abandoned = createMediaSweep(lifecycle, files.sweep)
  return {
    objects,
    hasObjects: deps.blobs !== undefined,
    paths,
    files,
    uploads: createUploads(lifecycle),
    uploadDirectly: createDirectUpload(lifecycle),
    maxDirectBytes: maxDirectBytes(deps.maxBytes),
    ...createVideos(lifecycle, { paths, cancelJob: deps.cancelJob }),
    ...checks,
    /** V12, V27: throws unless the author may see whatever the definition names. */
    async refuseHidden(definition: ExperimentDefinition, author: Identity, experimentId: string | null) {
      await checks.refuseHidden(definition, author)
      await files.refuseMissing(definition, author, experimentId)
    },
    submitted: transcoding.submitted,
    progressed: transcoding.progressed,
    completed: transcoding.completed,
    /** Every half a minute or so. */
    async sweep(): Promise<void> {
      if (!deps.blobs) return
      await transcoding.sweep()
      await abandoned.run()
    },
    stop: transcoding.stop,
  }
}
