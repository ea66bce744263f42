import type { ExperimentDefinition, ValidationIssue } from '@atrium/contract'
import { videoUsesIn } from '@atrium/contract/components'
import { AppError, validationFailed } from '../../kernel/app-error.ts'
import { sightOf } from '../experiments/index.ts'
import type { Identity } from '../identity/index.ts'
import type { MediaStore } from './media.store.ts'

/** Nobody reads more than this at a time. */
const maxIssues = 20

/** Whether the videos that a definition names may be used, and whether they can be played. */
export function createDefinitionChecks(store: MediaStore) {
  async function usesNotReady(definition: ExperimentDefinition) {
    const uses = videoUsesIn(definition)
    if (uses.length === 0) return []
    const found = await store.findMany([...new Set(uses.map(({ videoId }) => videoId))])
    const statuses = new Map(found.map(({ videoId, hls }) => [videoId, hls.status]))
    return uses
      .map((use) => ({ ...use, status: statuses.get(use.videoId) }))
      .filter(({ status }) => status !== 'ready')
      .slice(0, maxIssues)
  }

  return {
    /** V12: throws unless the author may see every video that the definition names. */
    async refuseHidden(definition: ExperimentDefinition, author: Identity): Promise<void> {
      const uses = videoUsesIn(definition)
      if (uses.length === 0) return
      const named = [...new Set(uses.map(({ videoId }) => videoId))]
      const hidden = new Set(await store.hiddenAmong(named, sightOf(author)))
      const issues = uses.flatMap(({ path, videoId }) =>
        hidden.has(videoId) ? [{ path, message: `there is no video ‘${videoId}’ that you may use` }] : [],
      )
      if (issues.length > 0) throw validationFailed(issues.slice(0, maxIssues))
    },

    /** V16: throws if a video that the definition names has failed. */
    async refuseFailed(definition: ExperimentDefinition): Promise<void> {
      const failed = (await usesNotReady(definition)).filter(({ status }) => status === 'failed')
      const videos = failed.map(({ videoId, path }) => ({ videoId, path }))
      if (videos.length > 0) throw new AppError('VIDEO_FAILED', { videos })
    },

    /** V16: about videos that the definition names and that cannot be played yet. */
    async warningsAbout(definition: ExperimentDefinition): Promise<ValidationIssue[]> {
      return (await usesNotReady(definition)).map(({ path, status }) => ({
        path,
        message:
          status === 'failed'
            ? 'this video could not be processed, so nobody can watch it'
            : 'this video is not ready yet: it can be watched once it has been processed',
      }))
    },
  }
}
