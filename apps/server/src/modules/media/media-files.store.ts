import type { MediaKind, MediaType } from '@atrium/contract'
import type { Sight } from '../experiments/index.ts'

/** An uploaded picture or sound. Its bytes never change; its name may. */
export interface MediaFile {
  mediaId: string
  owner: string
  name: string
  kind: MediaKind
  contentType: MediaType
  bytes: number
  sha256: string
  createdAt: number
  /** Null while its bytes are on their way to the object store. */
  storedAt: number | null
}

export interface SeenMediaFile {
  file: MediaFile
  /** Those that the viewer may see, and that use the file now: see `remove`. */
  usedBy: { experimentId: string; name: string }[]
}

/** Where a file stands in the list. */
type MediaCursor = Pick<MediaFile, 'createdAt' | 'mediaId'>

/** What `media:<name>` means to somebody who saves a definition, or in a revision. */
export type NamedMedia = Pick<MediaFile, 'mediaId' | 'name' | 'kind'>

export type CreatedMedia =
  | { kind: 'created'; files: MediaFile[] }
  | { kind: 'taken'; names: string[] }
  | { kind: 'too_many' }

export interface MediaFileStore {
  /**
   * All of them or none. In the place of a file that its owner has already, by its name and bytes, the one they have is
   * returned.
   */
  create(created: { owner: string; files: readonly MediaFile[] }): Promise<CreatedMedia>
  /** Their bytes are in the object store. False if one of them was discarded meanwhile. */
  stored(mediaIds: readonly string[], at: number): Promise<boolean>
  find(mediaId: string): Promise<MediaFile | undefined>
  /** Newest first, from the one after `before`. */
  visible(listing: {
    sight: Sight
    now: number
    kind: MediaKind | null
    before: MediaCursor | null
    limit: number
  }): Promise<SeenMediaFile[]>
  /** Undefined if it does not exist, or they may not see it. */
  seen(look: { mediaId: string; sight: Sight; now: number }): Promise<SeenMediaFile | undefined>
  /** How many experiments need it (see `remove`), whoever may see them. */
  countUses(mediaId: string, now: number): Promise<number>
  /** Those that are there and that the person may see. */
  visibleAmong(mediaIds: readonly string[], sight: Sight): Promise<Pick<MediaFile, 'mediaId' | 'kind'>[]>
  /**
   * What these names mean in a definition that somebody saves: what the experiment has under this name already, or else the
   * author's own file. Names that mean nothing are left out.
   */
  resolve(names: readonly string[], author: string, experimentId: string | null): Promise<NamedMedia[]>
  /** The files of a revision, under the names by which it calls them; an empty name for those that it names by id. */
  ofRevision(experimentId: string, revision: number): Promise<(MediaFile & { calledBy: string })[]>
  rename(renamed: {
    mediaId: string
    name: string
    actor: string
    now: number
  }): Promise<'renamed' | 'taken' | 'not_found'>
  /**
   * Deletes the record, unless the current revision of an experiment names the file, or somebody is still taking part in an
   * older one that does.
   */
  remove(removal: {
    mediaId: string
    actor: string
    now: number
  }): Promise<'removed' | 'in_use' | 'not_found'>
  /** Deletes the records of files whose bytes did not arrive. */
  discard(mediaIds: readonly string[], now: number): Promise<void>
  /** Ids of files whose bytes have not arrived since the time. */
  unfinished(begunBefore: number, limit: number): Promise<string[]>
  /** Ids of files removed or discarded before the time, of which something may be left in the object store. */
  removed(before: number, limit: number): Promise<string[]>
  /** It counts as removed at this time, behind all others. */
  eraseLater(mediaId: string, at: number): Promise<void>
  /** Nothing of it is left. */
  forget(mediaId: string): Promise<void>
}
