import { isBrowser } from '../browser-events.ts'
import { isRecord } from '../records.ts'
import type { UploadSource } from './upload-source.ts'

/** An upload in parts that has begun. */
export interface BegunUpload {
  videoId: string
  uploadId: string
  key: string
}

/** Remembers uploads that have begun, so that they can be resumed after a reload or restart. */
export interface UploadMemory {
  recall(name: string): string | null | Promise<string | null>
  keep(name: string, value: string): void | Promise<void>
  forget(name: string): void | Promise<void>
}

interface StorageGlobals {
  localStorage?: {
    getItem(name: string): string | null
    setItem(name: string, value: string): void
    removeItem(name: string): void
  }
}

/** In browsers localStorage; elsewhere nothing is remembered. In Node, even accessing localStorage causes a warning. */
export function browserMemory(): UploadMemory {
  const storage = () => (isBrowser() ? (globalThis as StorageGlobals).localStorage : undefined)
  return {
    recall: (name) => storage()?.getItem(name) ?? null,
    keep: (name, value) => storage()?.setItem(name, value),
    forget: (name) => storage()?.removeItem(name),
  }
}

/**
 * The memory of one file. Storage may be full or forbidden: then an upload can be paused and resumed, but not after a
 * reload.
 */
export function memoryOf(
  memory: UploadMemory,
  baseUrl: string,
  file: UploadSource,
  unfinished?: BegunUpload,
) {
  const name = `atrium.upload ${baseUrl} ${file.name} ${file.size} ${file.lastModified}`
  let known = unfinished
  return {
    async recall(): Promise<BegunUpload | undefined> {
      const kept = known ? null : await attempt(() => memory.recall(name))
      known ??= kept ? begunIn(kept) : undefined
      return known
    },
    async keep(begun: BegunUpload): Promise<void> {
      known = begun
      await attempt(() => memory.keep(name, JSON.stringify(begun)))
    },
    async forget(): Promise<void> {
      known = undefined
      await attempt(() => memory.forget(name))
    },
  }
}

async function attempt<Result>(use: () => Result | Promise<Result>): Promise<Result | undefined> {
  try {
    return await use()
  } catch {
    return undefined
  }
}

function begunIn(text: string): BegunUpload | undefined {
  try {
    const kept: unknown = JSON.parse(text)
    if (!isRecord(kept)) return undefined
    const { videoId, uploadId, key } = kept
    const isWhole = typeof videoId === 'string' && typeof uploadId === 'string' && typeof key === 'string'
    return isWhole ? { videoId, uploadId, key } : undefined
  } catch {
    return undefined
  }
}
