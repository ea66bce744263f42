import {
  type ExperimentDefinition,
  type MediaKind,
  type MediaPage,
  type MediaRecord,
  objectKeys,
  type PlayableFile,
  plainMediaName,
} from '@atrium/contract'
import type { MediaUse } from '@atrium/contract/components'
import { AppError, validationFailed } from '../../../kernel/app-error.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { listCursor } from '../../../kernel/list-cursor.ts'
import { sightOf } from '../../experiments/index.ts'
import { actorOf, type Identity, signedBy } from '../../identity/index.ts'
import type { MediaFile, MediaFileStore, SeenMediaFile } from '../media-files.store.ts'
import type { ObjectAccess } from '../object-access.ts'
import type { MediaPaths } from '../signed-paths.ts'
import { refuseMissingMedia } from './media-file-checks.ts'
import { createMediaFileSweep } from './media-file-sweep.ts'
import { mediaNameIssue } from './media-names.ts'
import { createMediaUploads, nameTaken } from './media-uploads.ts'

export interface MediaFileDeps {
  store: MediaFileStore
  objects: ObjectAccess
  paths: MediaPaths
  clock: Clock
  onBackgroundError(error: unknown): void
}

export interface MediaListing {
  kind: MediaKind | null
  limit: number
  before: string | null
}

export type MediaFiles = ReturnType<typeof createMediaFiles>

/** R67: uploaded pictures and sounds. */
export function createMediaFiles(deps: MediaFileDeps) {
  const { store, objects, paths, clock, onBackgroundError } = deps

  async function see(mediaId: string, identity: Identity): Promise<SeenMediaFile> {
    const seen = await store.seen({ mediaId, sight: sightOf(identity), now: clock.now() })
    if (!seen) throw new AppError('MEDIA_NOT_FOUND')
    return seen
  }

  /** V26 */
  async function requireOwn(mediaId: string, identity: Identity, what: string): Promise<SeenMediaFile> {
    const seen = await see(mediaId, identity)
    if (seen.file.owner === actorOf(identity) || identity.isAdmin) return seen
    throw new AppError(
      'FORBIDDEN',
      {},
      `Only the person who uploaded a file and administrators can ${what} it.`,
    )
  }

  const record = async (mediaId: string, identity: Identity): Promise<MediaRecord> =>
    recordOf(await see(mediaId, identity), actorOf(identity), paths)

  /** V10: what fails now is done by the sweep. */
  async function erase(mediaIds: readonly string[]): Promise<void> {
    for (const mediaId of mediaIds)
      await objects((blobs) => blobs.removeAll(objectKeys.mediaFile(mediaId))).catch(onBackgroundError)
  }

  return {
    upload: createMediaUploads({ store, objects, clock, erase }),
    read: record,

    async list(identity: Identity, { kind, limit, before }: MediaListing): Promise<MediaPage> {
      const cursor = before === null ? null : readCursor(before)
      const listing = { sight: sightOf(identity), now: clock.now(), kind, before: cursor, limit: limit + 1 }
      // One more than requested shows whether there is another page.
      const found = await store.visible(listing)
      const shown = found.slice(0, limit)
      const last = shown.at(-1)
      return {
        media: shown.map((seen) => recordOf(seen, actorOf(identity), paths)),
        next: last && found.length > limit ? writeCursor(last.file) : null,
      }
    },

    async rename(mediaId: string, written: string, identity: Identity): Promise<MediaRecord> {
      await requireOwn(mediaId, identity, 'rename')
      const name = plainMediaName(written)
      const issue = mediaNameIssue(name)
      if (issue) throw validationFailed([{ path: '/name', message: issue }])
      const outcome = await store.rename({ mediaId, name, actor: signedBy(identity), now: clock.now() })
      if (outcome === 'not_found') throw new AppError('MEDIA_NOT_FOUND')
      if (outcome === 'taken') throw nameTaken([name])
      return await record(mediaId, identity)
    },

    async remove(mediaId: string, identity: Identity): Promise<void> {
      const { usedBy } = await requireOwn(mediaId, identity, 'delete')
      const now = clock.now()
      const outcome = await store.remove({ mediaId, actor: signedBy(identity), now })
      if (outcome === 'not_found') throw new AppError('MEDIA_NOT_FOUND')
      if (outcome === 'in_use') throw inUse(usedBy, await store.countUses(mediaId, now))
      await erase([mediaId])
    },

    /**
     * R67: the files that a revision names, where its participants find them, in the order of the uses. For whoever may see
     * these uses.
     */
    async playable(
      experimentId: string,
      revision: number,
      uses: readonly MediaUse[],
    ): Promise<PlayableFile[]> {
      if (uses.length === 0) return []
      const named = await store.ofRevision(experimentId, revision)
      const files = new Map(named.map((file) => [file.mediaId, file]))
      const idOf = new Map(named.map(({ calledBy, mediaId }) => [calledBy, mediaId]))
      const namesOf = new Map<string, Set<string>>()
      for (const { named } of uses) {
        const mediaId = 'mediaId' in named ? named.mediaId : idOf.get(named.name)
        if (mediaId === undefined || !files.has(mediaId)) continue
        const names = namesOf.get(mediaId) ?? new Set()
        if ('name' in named) names.add(named.name)
        namesOf.set(mediaId, names)
      }
      return [...namesOf].flatMap(([mediaId, names]) => {
        const file = files.get(mediaId)
        return file ? [playableOf(file, [...names], paths)] : []
      })
    },

    refuseMissing: (definition: ExperimentDefinition, author: Identity, experimentId: string | null) =>
      refuseMissingMedia(store, definition, author, experimentId),
    sweep: createMediaFileSweep({ store, objects, onBackgroundError }),
  }
}

const { write: writeCursor, read: readCursor } = listCursor('createdAt', 'mediaId')

const isoTime = (at: number): string => new Date(at).toISOString()

function playableOf({ mediaId, kind, bytes }: MediaFile, names: string[], paths: MediaPaths): PlayableFile {
  const signed = paths.sign(mediaId)
  const url = signed.pathOf(objectKeys.mediaFile(mediaId))
  return { mediaId, names, kind, bytes, url, expiresAt: isoTime(signed.expiresAt) }
}

function recordOf({ file, usedBy }: SeenMediaFile, actor: string, paths: MediaPaths): MediaRecord {
  const { mediaId, name, kind, bytes, contentType, createdAt, owner } = file
  const { url } = playableOf(file, [], paths)
  return {
    ...{ mediaId, name, kind, bytes, contentType, url, usedBy },
    createdAt: isoTime(createdAt),
    isOwn: owner === actor,
  }
}

/** V26: the refusal to delete a file that experiments need, which may belong to people who do not share them. */
function inUse(experiments: SeenMediaFile['usedBy'], count: number): AppError {
  const others = Math.max(0, count - experiments.length)
  const named = experiments.slice(0, 5).map(({ name }) => `‘${name}’`)
  const more = count - named.length
  if (more > 0) named.push(more === 1 ? 'one more experiment' : `${more} more experiments`)
  const whose = others > 0 ? ' An administrator can tell you whose the others are.' : ''
  return new AppError(
    'MEDIA_IN_USE',
    { experiments, others },
    `This file cannot be deleted, because ${inWords(named)} ${count === 1 ? 'uses' : 'use'} it.${whose}`,
  )
}

const inWords = (things: readonly string[]): string =>
  things.length < 2 ? things.join('') : `${things.slice(0, -1).join(', ')} and ${things.at(-1)}`
