import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { objectKeys } from '@atrium/contract'
import { isUnavailable } from '../../../kernel/app-error.ts'
import { masterName } from '../ladder/file-names.ts'
import type { ObjectAccess } from '../object-access.ts'

export interface Publication {
  store: ObjectAccess
  videoId: string
  /** Where the files are. */
  folder: string
  /** All but the master playlist, in the order in which they are stored. */
  names: readonly string[]
  master: string
  signal: AbortSignal
  onStored(share: number): void
  warn(facts: Record<string, unknown>, message: string): void
}

const contentTypes: Record<string, string> = {
  '.m3u8': 'application/vnd.apple.mpegurl',
  '.ts': 'video/mp2t',
  '.jpg': 'image/jpeg',
}
const putsAtOnce = 4
/** The waits between them are twice as long each time: half a minute in all, in which a store can start again. */
const maxAttempts = 8
const firstWaitMs = 250

/**
 * Stores the output, the master playlist last: whoever finds it finds everything it leads to. What an earlier run has
 * stored under other names is removed afterwards. If a first run fails, what it has stored is removed; a later run
 * leaves the playable video of the earlier one where it is.
 */
export async function publish(publication: Publication): Promise<void> {
  const { store, videoId, names, signal } = publication
  const isFirst = (await store.head(objectKeys.manifest(videoId))) === undefined
  try {
    await putAll(publication, names)
    signal.throwIfAborted()
    const master = Buffer.from(publication.master)
    await put(publication, masterName, master.length, () => master)
  } catch (error) {
    if (isFirst) await removeOwn(publication)
    throw error
  }
  const kept = new Set([...names, masterName].map((name) => keyOf(publication, name)))
  const stored = new Set(await store.list(objectKeys.hlsPrefix(videoId)))
  // A run that was taken for dead may have cleaned up behind itself, and removed what is ours.
  await putAll(
    publication,
    names.filter((name) => !stored.has(keyOf(publication, name))),
  )
  const stale = [...stored].filter((key) => !kept.has(key))
  // Nothing leads to them, and the next run tries again.
  for (const key of stale)
    await store
      .removeAll(key)
      .catch((err: unknown) =>
        publication.warn({ videoId, err }, 'the output of an earlier run was not removed'),
      )
}

async function putAll(publication: Publication, names: readonly string[]): Promise<void> {
  const { folder, signal, onStored } = publication
  const waiting = [...names]
  let stored = 0
  const putNext = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      signal.throwIfAborted()
      const path = join(folder, name)
      const { size } = await stat(path)
      await put(publication, name, size, () => streamOf(path, signal))
      stored++
      onStored(stored / names.length)
    }
  }
  const lines = await Promise.allSettled(Array.from({ length: putsAtOnce }, putNext))
  // All of them have ended, so that nothing is stored any more while the caller cleans up.
  const failed = lines.find((line) => line.status === 'rejected')
  if (failed) throw failed.reason
}

/** A store that is busy or starts again must not cost a video that took hours, and nobody else can send a stream again. */
async function put(
  publication: Publication,
  name: string,
  size: number,
  open: () => Readable | Uint8Array,
): Promise<void> {
  const { store, signal } = publication
  for (let attempt = 1; ; attempt++) {
    const body = open()
    try {
      return await store.put(keyOf(publication, name), body, { size, contentType: typeOf(name) })
    } catch (error) {
      if (body instanceof Readable) body.destroy()
      if (!isUnavailable(error) || attempt === maxAttempts) throw error
      await delay(firstWaitMs * 2 ** (attempt - 1), undefined, { signal }).catch(() => undefined)
      signal.throwIfAborted()
    }
  }
}

/** `put` rejects with its errors; those that come after a refusal interest nobody. */
const streamOf = (path: string, signal: AbortSignal): Readable =>
  createReadStream(path, { signal }).on('error', () => undefined)

/** Unless another run has published the same video in the meantime. */
async function removeOwn({ store, videoId }: Publication): Promise<void> {
  if ((await store.head(objectKeys.manifest(videoId))) === undefined)
    await store.removeAll(objectKeys.hlsPrefix(videoId))
}

const keyOf = ({ videoId }: Publication, name: string): string => objectKeys.hlsPrefix(videoId) + name
const typeOf = (name: string): string => contentTypes[extname(name)] ?? 'application/octet-stream'
