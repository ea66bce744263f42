export interface DownloadOptions {
  url: string
  /** The user's cache; the file is put below it. */
  cacheFolder: string
  /** With folders, below the cache. */
  path: string
  /** For sentences, such as `the model qwen3.5-9b`. */
  what: string
  /** What was published about the file. */
  bytes?: number | undefined
  sha256?: string | undefined
  /** The first characters of every file of this kind. */
  magic?: string | undefined
  /** What the operator can do without this download, as a sentence without its full stop. */
  instead?: string | undefined
  token?: string | undefined
  signal: AbortSignal
  say(text: string): void
  onProgress(progress: DownloadProgress): void
  limits?: Partial<DownloadLimits>
}

export interface DownloadProgress {
  receivedBytes: number
  totalBytes: number
  /** What was already there when this process began. */
  startedAtBytes: number
}

export interface DownloadLimits {
  /** Without a byte for this long, the connection counts as broken. */
  silenceMs: number
  /** Between two attempts; doubled after each that brought nothing. */
  pauseMs: number
  /** Attempts that bring nothing, one after another. */
  fruitlessAttempts: number
  /** Of a server that breaks off again and again after a little. */
  attempts: number
  freeBytes(folder: string): Promise<number>
}
