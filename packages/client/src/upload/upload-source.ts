/** A file to upload, wherever it is. Its bytes are read when they are sent, never all at once. */
export interface UploadSource {
  readonly name: string
  /** A video type, e.g. `video/mp4`; empty if unknown. */
  readonly type: string
  readonly size: number
  /** Epoch milliseconds; tells a file from a newer one with the same name. */
  readonly lastModified: number
  /** Rejects when there is no answer. */
  send(request: UploadRequest, watch: UploadWatch): Promise<UploadAnswer>
}

export interface UploadRequest {
  method: 'PUT' | 'POST'
  url: string
  headers: Record<string, string>
  /** The bytes of the file from here (inclusive) … */
  from: number
  /** … to here (exclusive). */
  to: number
  /** As the field `file` of a form with this content type, instead of as the whole body. */
  formType?: string
}

export interface UploadWatch {
  signal: AbortSignal
  /** Called with the number of bytes of the file that are on their way so far. */
  onSent(bytes: number): void
}

export interface UploadAnswer {
  status: number
  etag: string | null
  retryAfter: string | null
  text: string
}

/** Browsers do not know every container, and a program has only the name to go by. */
const typesByEnding: Readonly<Record<string, string>> = {
  '3gp': 'video/3gpp',
  avi: 'video/x-msvideo',
  flv: 'video/x-flv',
  m2ts: 'video/mp2t',
  m4v: 'video/x-m4v',
  mkv: 'video/x-matroska',
  mov: 'video/quicktime',
  mp4: 'video/mp4',
  mpeg: 'video/mpeg',
  mpg: 'video/mpeg',
  mts: 'video/mp2t',
  mxf: 'video/mxf',
  ogv: 'video/ogg',
  ts: 'video/mp2t',
  webm: 'video/webm',
  wmv: 'video/x-ms-wmv',
}

/** For file dialogs, without the dot. */
export const videoEndings: readonly string[] = Object.keys(typesByEnding)

/** Undefined if neither the type nor the name is that of a video. */
export function videoTypeOf({ type, name }: Pick<UploadSource, 'type' | 'name'>): string | undefined {
  if (type.startsWith('video/')) return type
  const ending = /\.([^.]+)$/.exec(name.toLowerCase())?.[1] ?? ''
  return Object.hasOwn(typesByEnding, ending) ? typesByEnding[ending] : undefined
}
