import {
  createDownloadProgress,
  type DownloadLimits,
  type DownloadOptions,
  download,
} from '../download/index.ts'
import { secretIn } from './environment.ts'
import { type Io, sayTo } from './io.ts'
import { createProgress } from './progress.ts'

/** What is downloaded, and where it is put below the cache. */
export type CacheFile = Pick<
  DownloadOptions,
  'url' | 'path' | 'what' | 'bytes' | 'sha256' | 'magic' | 'instead'
>

export interface CacheDeps {
  io: Io
  cacheFolder: string
  /** For tests: how patient a download is. */
  downloadLimits?: Partial<DownloadLimits> | undefined
}

/** Downloads a file unless it is in the cache, shows how far it is, and returns its path. */
export async function fetchToCache(
  file: CacheFile,
  { io, cacheFolder, downloadLimits }: CacheDeps,
): Promise<string> {
  const progress = createProgress(io)
  const say = sayTo(io)
  try {
    return await download({
      ...file,
      cacheFolder,
      token: secretIn(io.env, 'HF_TOKEN'),
      signal: io.signal,
      say(text) {
        progress.clear()
        say(text)
      },
      onProgress: createDownloadProgress({
        isTerminal: io.isTerminal,
        what: file.what,
        now: Date.now,
        show: (text) => progress.show(text, ''),
      }),
      ...(downloadLimits && { limits: downloadLimits }),
    })
  } finally {
    progress.clear()
  }
}
