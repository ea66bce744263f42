import { Misuse } from '../misuse.ts'

/** What a server answered to a request for a file, or for the rest of one. */
export type RemoteFile =
  | ({ kind: 'whole' | 'rest'; body: AsyncIterable<Uint8Array>; totalBytes: number | undefined } & Announced)
  /** There is nothing after what we asked for. */
  | ({ kind: 'nothing-left'; totalBytes: number | undefined } & Announced)

interface Announced {
  /** For If-Range: a strong ETag, or else the time of the last change. */
  validator: string | undefined
  /** Hugging Face tells the SHA-256 of a file before it leads to where the bytes are. */
  sha256: string | undefined
}

interface RemoteRequest {
  url: string
  /** The first byte that is wanted. */
  from: number
  validator: string | undefined
  /** For Hugging Face only; never sent to another host. */
  token: string | undefined
  /** Aborted when the answer is not needed any more: a connection that nobody reads would keep the program running. */
  signal: AbortSignal
}

/** The connection failed in a way that may pass: worth another try. */
export class BrokenOff extends Error {
  override name = 'BrokenOff'
}

const maxRedirects = 8
const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(host)

/** Only https, so that nobody on the way can change the file. A server on this machine may do without. */
function allowed(address: string, isRedirected: boolean, from?: URL): URL {
  if (!URL.canParse(address, from?.href)) throw new Misuse(`${address} is not an address.`)
  const url = new URL(address, from)
  const isLocal = url.protocol === 'http:' && isLoopback(url.hostname)
  const wasLocal = from === undefined || from.protocol === 'http:'
  if (url.protocol === 'https:' || (isLocal && wasLocal)) return url
  throw new Misuse(
    isRedirected
      ? `The download is redirected to ${url.origin}, which is not safe. Nothing was downloaded; give another address.`
      : `${url.origin} is not safe: files are only downloaded from addresses that begin with https.`,
  )
}

export async function openRemote(request: RemoteRequest): Promise<RemoteFile> {
  let url = allowed(request.url, false)
  const host = url.host
  let sha256: string | undefined
  for (let hop = 0; hop <= maxRedirects; hop++) {
    const response = await send(url, request, url.host === host)
    sha256 ??= sha256In(response.headers.get('x-linked-etag'))
    const location = response.headers.get('location')
    if (![301, 302, 303, 307, 308].includes(response.status)) return read(response, url, request, sha256)
    await response.body?.cancel()
    if (location === null) throw new Misuse(`${url.origin} redirects to nowhere. Give another address.`)
    url = allowed(location, true, url)
  }
  throw new Misuse(`${request.url} is redirected more than ${maxRedirects} times. Give another address.`)
}

async function send(url: URL, request: RemoteRequest, isFirstHost: boolean): Promise<Response> {
  const { from, validator, token, signal } = request
  const headers: Record<string, string> = {
    // Compressed bytes could neither be counted nor continued.
    'accept-encoding': 'identity',
    'user-agent': 'atrium-agent',
    ...(from > 0 && { range: `bytes=${from}-`, ...(validator !== undefined && { 'if-range': validator }) }),
    ...(token !== undefined &&
      isFirstHost &&
      url.hostname === 'huggingface.co' && { authorization: `Bearer ${token}` }),
  }
  try {
    return await fetch(url, { headers, redirect: 'manual', signal })
  } catch (error) {
    if (signal.aborted) throw signal.reason
    throw unreachable(url, error)
  }
}

function unreachable(url: URL, error: unknown): Error {
  const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException
  if (code !== undefined && /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS/.test(code))
    return new Misuse(
      `The certificate of ${url.origin} is not valid (${code}). Check the clock of this machine, and whether a proxy stands in between (NODE_EXTRA_CA_CERTS).`,
    )
  return new BrokenOff(`${url.origin} cannot be reached${code === undefined ? '' : ` (${code})`}`)
}

function read(
  response: Response,
  url: URL,
  { from, url: asked }: RemoteRequest,
  sha256: string | undefined,
): RemoteFile {
  const { status, headers } = response
  const announced = { validator: validatorIn(headers), sha256 }
  if (status === 416)
    return {
      kind: 'nothing-left',
      totalBytes: numberIn(/^bytes \*\/(\d+)$/, headers.get('content-range')),
      ...announced,
    }
  if (status !== 200 && status !== 206) throw refusal(status, asked, url)
  if (/^text\/html\b/i.test(headers.get('content-type') ?? ''))
    throw new Misuse(`${asked} is a web page, not a file. Give the address behind its download button.`)
  if (response.body === null) throw new BrokenOff(`${url.origin} sent nothing`)
  // Taken at once: fetch cancels a body that nobody reads when its response is garbage, and that looks like its end.
  const body: AsyncIterable<Uint8Array> = response.body.values()
  if (status === 200)
    return {
      kind: 'whole',
      body,
      totalBytes: numberIn(/^(\d+)$/, headers.get('content-length')),
      ...announced,
    }
  const [, start, , total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers.get('content-range') ?? '') ?? []
  if (from === 0 || Number(start) !== from)
    throw new Misuse(
      `${url.origin} sent another part of the file than the one asked for. Give another address.`,
    )
  return { kind: 'rest', body, totalBytes: Number(total), ...announced }
}

function refusal(status: number, asked: string, url: URL): Error {
  if (status === 404 || status === 410)
    return new Misuse(`There is no file at ${asked} (${status}). Check its name, or choose another model.`)
  if (status === 401 || status === 403)
    return new Misuse(
      `${url.origin} does not let us have ${asked} (${status}). If you have to accept a licence there first, do so, and set HF_TOKEN to your token.`,
    )
  if (status === 408 || status === 429 || status >= 500)
    return new BrokenOff(`${url.origin} answered ${status}`)
  return new Misuse(
    `${url.origin} answered ${status} to the request for ${asked}. Try again later, or give another address.`,
  )
}

/** Weak ETags do not promise the same bytes. */
function validatorIn(headers: Headers): string | undefined {
  const etag = headers.get('etag')
  if (etag !== null && /^"[^"]{1,256}"$/.test(etag)) return etag
  const modified = headers.get('last-modified')
  return modified !== null && modified.length < 64 ? modified : undefined
}

const sha256In = (etag: string | null): string | undefined => /^"?([0-9a-f]{64})"?$/.exec(etag ?? '')?.[1]

function numberIn(pattern: RegExp, text: string | null): number | undefined {
  const value = Number(pattern.exec(text ?? '')?.[1] ?? Number.NaN)
  return Number.isSafeInteger(value) ? value : undefined
}
