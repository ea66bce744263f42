import type { BegunUpload } from '@atrium/client'
import type { BeginUpload, Sending } from './begin-upload.ts'
import type { Uploadable } from './media-batch.ts'
import { addSample, type Sample } from './transfer-rate.ts'

type UploadState =
  | { kind: 'queued' }
  | { kind: 'sending' }
  | { kind: 'paused' }
  | { kind: 'failed'; message: string }
  | { kind: 'cancelling' }
  /** The platform has it; shown until the library does too. */
  | { kind: 'stored' }

export interface QueuedUpload {
  id: number
  file: Uploadable
  state: UploadState
  sentBytes: number
  /** Since it was last started. */
  samples: readonly Sample[]
  /** As soon as the platform has a record of it. */
  unfinished: BegunUpload | undefined
}

export interface UploadQueueDeps {
  begin: BeginUpload
  nowMs: () => number
  messageOf: (error: unknown) => string
  /** The platform has stored a file; awaited before its entry disappears. */
  onStored: (file: Uploadable) => Promise<unknown>
  /** The platform has a new record of an upload, or one less. */
  onRecordsChanged: () => unknown
  onCancelFailed: (file: Uploadable, error: unknown) => void
}

export type UploadQueue = ReturnType<typeof createUploadQueue>

/** Sends files one after the other, in the order in which they were added. Paused and failed ones hold up nobody. */
export function createUploadQueue(deps: UploadQueueDeps) {
  const { nowMs, onStored, onRecordsChanged } = deps
  let entries: readonly QueuedUpload[] = []
  let lastId = 0
  const running = new Map<number, Sending>()
  const listeners = new Set<() => void>()

  function setEntries(next: readonly QueuedUpload[]): void {
    entries = next
    for (const listener of listeners) listener()
  }
  const find = (id: number) => entries.find((entry) => entry.id === id)
  const isCancelled = (id: number) => (find(id)?.state.kind ?? 'cancelling') === 'cancelling'
  const change = (id: number, news: Partial<QueuedUpload>) =>
    setEntries(entries.map((entry) => (entry.id === id ? { ...entry, ...news } : entry)))
  const remove = (id: number) => {
    running.delete(id)
    setEntries(entries.filter((entry) => entry.id !== id))
  }

  function startNext(): void {
    if (entries.some(({ state }) => state.kind === 'sending')) return
    const next = entries.find(({ state }) => state.kind === 'queued')
    if (!next) return
    const { id } = next
    change(id, { state: { kind: 'sending' }, samples: [{ atMs: nowMs(), sentBytes: next.sentBytes }] })
    const known = running.get(id)
    if (known) known.resume()
    else begin(next)
  }

  function begin({ id, file, unfinished }: QueuedUpload): void {
    const upload = deps.begin(file, {
      unfinished,
      onBegun(begun) {
        // One that was swept meanwhile begins anew.
        if (find(id)?.unfinished?.videoId === begun.videoId) return
        change(id, { unfinished: begun })
        onRecordsChanged()
      },
      onProgress({ sentBytes }) {
        const entry = find(id)
        // A late report must not revive an entry that is paused.
        if (entry?.state.kind !== 'sending') return
        change(id, { sentBytes, samples: addSample(entry.samples, { atMs: nowMs(), sentBytes }) })
      },
    })
    running.set(id, upload)
    void upload.done.then(
      () => finish(id, file),
      (error: unknown) => fail(id, error),
    )
  }

  async function finish(id: number, file: Uploadable): Promise<void> {
    if (isCancelled(id)) return
    change(id, { state: { kind: 'stored' }, sentBytes: file.size })
    startNext()
    await onStored(file)
    remove(id)
  }

  function fail(id: number, error: unknown): void {
    if (isCancelled(id)) return
    change(id, { state: { kind: 'failed', message: deps.messageOf(error) } })
    startNext()
  }

  return {
    entries: () => entries,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** A file whose upload is already in the queue is not added twice. */
    add(file: Uploadable, unfinished?: BegunUpload): void {
      if (unfinished && entries.some((entry) => entry.unfinished?.videoId === unfinished.videoId)) return
      const id = ++lastId
      const entry = { id, file, unfinished, state: { kind: 'queued' }, sentBytes: 0, samples: [] } as const
      setEntries([...entries, entry])
      startNext()
    },
    pause(id: number): void {
      const kind = find(id)?.state.kind
      if (kind !== 'sending' && kind !== 'queued') return
      change(id, { state: { kind: 'paused' }, samples: [] })
      running.get(id)?.pause()
      startNext()
    },
    /** Also tries again what has failed. */
    resume(id: number): void {
      const kind = find(id)?.state.kind
      if (kind !== 'paused' && kind !== 'failed') return
      if (kind === 'failed') running.delete(id)
      change(id, { state: { kind: 'queued' } })
      startNext()
    },
    async cancel(id: number): Promise<void> {
      const entry = find(id)
      if (!entry || entry.state.kind === 'stored' || entry.state.kind === 'cancelling') return
      change(id, { state: { kind: 'cancelling' } })
      startNext()
      try {
        await running.get(id)?.abort()
      } catch (error) {
        deps.onCancelFailed(entry.file, error)
      }
      remove(id)
      onRecordsChanged()
    },
    /** Nobody is here any more. What has been stored of the files can be continued later. */
    close(): void {
      for (const upload of running.values()) upload.pause()
      running.clear()
      setEntries([])
    },
  }
}
