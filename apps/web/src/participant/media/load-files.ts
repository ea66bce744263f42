import type { PlayableFile } from '@atrium/contract'

/** How the loading of one file stands. `skipped`: the participant went on without it. */
type FileStanding = 'waiting' | 'loading' | 'loaded' | 'failed' | 'skipped'

interface Loading {
  file: PlayableFile
  standing: FileStanding
  /** What keeps the file in memory: a browser forgets a picture that nothing holds, and reads it again from its cache. */
  held?: unknown
}

export interface FileLoads {
  standingOf(mediaId: string): FileStanding
  /** Loads these before all others, also those that have failed. */
  want(files: readonly PlayableFile[]): void
  /** Loads these when nothing is wanted, as long as they are few enough. */
  prepare(files: readonly PlayableFile[]): void
  skip(mediaIds: readonly string[]): void
  close(): void
}

const atOnce = 4
/** What is loaded in advance, without anybody waiting for it. More would cost people money. */
const maxAheadBytes = 100_000_000

/** Loads files and holds what `fetchFile` gives for each; it rejects if one cannot be loaded. */
export function createFileLoads(
  fetchFile: (file: PlayableFile) => Promise<unknown>,
  changed: () => void,
): FileLoads {
  const loads = new Map<string, Loading>()
  let wanted = new Set<string>()
  let aheadBytes = 0
  let running = 0
  let isClosed = false

  function next(): Loading | undefined {
    const waiting = [...loads.values()].filter(({ standing }) => standing === 'waiting')
    return waiting.find(({ file }) => wanted.has(file.mediaId)) ?? (running === 0 ? waiting[0] : undefined)
  }

  function work(): void {
    for (let load = next(); load && running < atOnce && !isClosed; load = next()) void run(load)
  }

  async function run(load: Loading): Promise<void> {
    load.standing = 'loading'
    running++
    try {
      load.held = await fetchFile(load.file)
      if (load.standing === 'loading') load.standing = 'loaded'
    } catch {
      if (load.standing === 'loading') load.standing = 'failed'
    }
    running--
    changed()
    work()
  }

  function add(file: PlayableFile): Loading {
    const known = loads.get(file.mediaId)
    if (known) {
      // Its address may be a new one.
      known.file = file
      return known
    }
    const load: Loading = { file, standing: 'waiting' }
    loads.set(file.mediaId, load)
    return load
  }

  return {
    standingOf: (mediaId) => loads.get(mediaId)?.standing ?? 'waiting',
    want(files) {
      wanted = new Set(files.map(({ mediaId }) => mediaId))
      for (const load of files.map(add)) if (load.standing === 'failed') load.standing = 'waiting'
      work()
    },
    prepare(files) {
      for (const file of files) {
        if (loads.has(file.mediaId) || aheadBytes + file.bytes > maxAheadBytes) continue
        aheadBytes += file.bytes
        add(file)
      }
      work()
    },
    skip(mediaIds) {
      for (const mediaId of mediaIds) {
        const load = loads.get(mediaId)
        if (load && load.standing !== 'loaded') load.standing = 'skipped'
      }
      changed()
    },
    close() {
      isClosed = true
    },
  }
}

/** Pictures are decoded as well, so that they are there when they are shown. Sounds are held by the cache alone. */
export async function fetchFile({ kind, url }: PlayableFile): Promise<HTMLImageElement | undefined> {
  if (kind === 'picture') {
    const image = new Image()
    image.src = url
    await image.decode()
    return image
  }
  const response = await fetch(url)
  if (!response.ok) throw new Error(`answered with ${response.status}`)
  await response.arrayBuffer()
  return undefined
}

/** A connection that does not fail, but does not end either. */
const patienceMs = 60_000

export const withPatience =
  <Held>(load: (file: PlayableFile) => Promise<Held>, ms = patienceMs) =>
  (file: PlayableFile): Promise<Held> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('took too long')), ms)
      load(file)
        .then(resolve, reject)
        .finally(() => clearTimeout(timer))
    })
