import { type ExperimentDefinition, limits, type MediaKind, type ValidationIssue } from '@atrium/contract'
import { type MediaUse, mediaUsesIn, namedFilesOf } from '@atrium/contract/components'
import { validationFailed } from '../../../kernel/app-error.ts'
import { sightOf } from '../../experiments/index.ts'
import { actorOf, type Identity } from '../../identity/index.ts'
import type { MediaFileStore } from '../media-files.store.ts'

/** Nobody reads more than this at a time. */
const maxIssues = 20

/**
 * V27: throws unless the author may see every picture and sound that a definition names, and each place gets what it can
 * show. `experimentId`: whose names count first; null for a new experiment.
 */
export async function refuseMissingMedia(
  store: Pick<MediaFileStore, 'visibleAmong' | 'resolve'>,
  definition: ExperimentDefinition,
  author: Identity,
  experimentId: string | null,
): Promise<void> {
  const uses = mediaUsesIn(definition)
  if (uses.length === 0) return
  const { ids, names } = namedFilesOf(uses)
  if (ids.length + names.length > limits.media.perDefinition) throw validationFailed([tooMany(ids, names)])
  const visible = await store.visibleAmong(ids, sightOf(author))
  const meant = await store.resolve(names, actorOf(author), experimentId)
  const kinds = new Map<string, MediaKind>([
    ...visible.map(({ mediaId, kind }) => [mediaId, kind] as const),
    ...meant.map(({ name, kind }) => [`media:${name}`, kind] as const),
  ])
  const issues = uses.flatMap((use) => issueOf(use, kinds))
  if (issues.length > 0) throw validationFailed(issues.slice(0, maxIssues))
}

function issueOf({ named, kind, path }: MediaUse, kinds: ReadonlyMap<string, MediaKind>): ValidationIssue[] {
  const key = 'mediaId' in named ? named.mediaId : `media:${named.name}`
  const found = kinds.get(key)
  if (found === undefined) return [{ path, message: missing(named) }]
  if (kind === null || found === kind) return []
  return [{ path, message: `‘${key}’ is a ${found}, but a ${kind} is needed here` }]
}

const missing = (named: MediaUse['named']): string =>
  'mediaId' in named
    ? `there is no picture or sound ‘${named.mediaId}’ that you may use`
    : `you have no picture or sound named ‘${named.name}’; upload it on the Media page, or correct the name`

const tooMany = (ids: readonly string[], names: readonly string[]): ValidationIssue => ({
  path: '',
  message: `names ${ids.length + names.length} pictures and sounds; at most ${limits.media.perDefinition} are possible in one study`,
})
