import type { WrittenDefinition } from '@atrium/contract'
import type { NamedFiles } from '@atrium/contract/components'

export interface NewTry {
  /** Of the hidden experiment. */
  tryId: string
  /** The experiment whose draft is tried. */
  experimentId: string
  definition: WrittenDefinition
  /** The pictures and sounds that it names, also in the tables that it names. */
  media: NamedFiles
  /** As in the audit log. */
  actor: string
  now: number
  expiresAt: number
}

interface TryRecord {
  tryId: string
  createdAt: number
  expiresAt: number
}

/** What a try has left behind outside the database, and in the memory of instances. */
export interface TryTraces {
  participantIds: string[]
  sessionIds: string[]
  roomIds: string[]
}

export interface TryStore {
  /** It recruits at once. `too_many`: of this researcher, in all experiments; `media_gone`: a video, picture or sound deleted since the check. */
  create(created: NewTry): Promise<'created' | 'too_many' | 'media_gone'>
  /** Newest first. */
  list(experimentId: string, owner: string): Promise<TryRecord[]>
  isOwn(request: { tryId: string; experimentId: string; owner: string }): Promise<boolean>
  expired(now: number, limit: number): Promise<string[]>
  /** Nobody joins any more, and no session stores anything. */
  close(tryId: string, now: number): Promise<TryTraces>
  /** Deletes all its rows. To be called after `close`, once nothing of it is left elsewhere. */
  remove(tryId: string): Promise<void>
}
