import type { UploadAnswer, UploadRequest, UploadSource, UploadWatch } from './upload-source.ts'

/** The part of a browser's `File` that is used. */
export interface FileLike {
  readonly name: string
  readonly type: string
  readonly size: number
  readonly lastModified: number
  slice(from: number, to: number, type?: string): Blob
}

/** The part of XMLHttpRequest that is used: `fetch` does not tell how much of a body has been sent. */
interface XmlHttpRequest {
  readonly status: number
  readonly responseText: string
  readonly upload: { onprogress: ((event: { loaded: number }) => void) | null }
  onload: (() => void) | null
  onerror: (() => void) | null
  onabort: (() => void) | null
  open(method: string, url: string): void
  setRequestHeader(name: string, value: string): void
  getResponseHeader(name: string): string | null
  send(body: unknown): void
  abort(): void
}
type XmlHttpRequestClass = new () => XmlHttpRequest

/** A file that somebody chose in a browser. Slices of it are read from the disk as they are sent. */
export function fileSource(file: FileLike): UploadSource {
  const { name, type, size, lastModified } = file
  return {
    name,
    type,
    size,
    lastModified,
    send: (request, watch) => sendBody(request, bodyOf(file, request), watch),
  }
}

/** Sends a body whose files are read as they are sent. */
export function sendBody(
  request: UploadRequest,
  body: Blob | FormData,
  watch: UploadWatch,
): Promise<UploadAnswer> {
  const { XMLHttpRequest: Xhr } = globalThis as { XMLHttpRequest?: XmlHttpRequestClass }
  return Xhr ? sendByXhr(Xhr, request, body, watch) : sendByFetch(request, body, watch)
}

function bodyOf(file: FileLike, { from, to, formType }: UploadRequest): Blob | FormData {
  if (formType === undefined) return file.slice(from, to)
  const form = new FormData()
  form.append('file', file.slice(from, to, formType), file.name)
  return form
}

function sendByXhr(
  Xhr: XmlHttpRequestClass,
  { method, url, headers, from, to }: UploadRequest,
  body: Blob | FormData,
  { signal, onSent }: UploadWatch,
): Promise<UploadAnswer> {
  return new Promise((resolve, reject) => {
    const xhr = new Xhr()
    const stop = (): void => xhr.abort()
    const fail = (why: string) => (): void => {
      signal.removeEventListener('abort', stop)
      reject(new Error(why))
    }
    xhr.open(method, url)
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value)
    // A form is a little longer than the file in it.
    xhr.upload.onprogress = ({ loaded }) => onSent(Math.min(loaded, to - from))
    xhr.onerror = fail('The connection failed.')
    xhr.onabort = fail('The request was called off.')
    xhr.onload = () => {
      signal.removeEventListener('abort', stop)
      resolve({
        status: xhr.status,
        etag: xhr.getResponseHeader('etag'),
        retryAfter: xhr.getResponseHeader('retry-after'),
        text: xhr.responseText,
      })
    }
    signal.addEventListener('abort', stop)
    xhr.send(body)
    if (signal.aborted) stop()
  })
}

/** Where there is no XMLHttpRequest: progress is known once all is sent. */
async function sendByFetch(
  { method, url, headers, from, to }: UploadRequest,
  body: Blob | FormData,
  { signal, onSent }: UploadWatch,
): Promise<UploadAnswer> {
  const response = await fetch(url, { method, headers, body, signal })
  onSent(to - from)
  return {
    status: response.status,
    etag: response.headers.get('etag'),
    retryAfter: response.headers.get('retry-after'),
    text: await response.text(),
  }
}
