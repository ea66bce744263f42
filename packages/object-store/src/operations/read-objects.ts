import { checksumHeader } from '../body/checksums.ts'
import type { ByteRange } from '../disk/read-object.ts'
import type { ObjectFacts } from '../disk/sealed-file.ts'
import { checkRead, mayServeRange } from '../http/conditions.ts'
import { checkedValue } from '../http/object-headers.ts'
import { S3Error } from '../http/s3-error.ts'
import { amzHeader, type S3Request } from '../http/s3-request.ts'
import { type Operation, quoted } from './store.ts'

/** What a signed address may say about the response. */
const overrides: Record<string, string> = {
  'response-cache-control': 'cache-control',
  'response-content-disposition': 'content-disposition',
  'response-content-encoding': 'content-encoding',
  'response-content-language': 'content-language',
  'response-content-type': 'content-type',
  'response-expires': 'expires',
}

function headersOf(request: S3Request, facts: ObjectFacts): Record<string, string> {
  const headers: Record<string, string> = {
    ...facts.headers,
    etag: quoted(facts.etag),
    'last-modified': new Date(facts.modifiedAt).toUTCString(),
    'accept-ranges': 'bytes',
    // Objects come from elsewhere and share our origin: a browser must not run or reinterpret them.
    'content-security-policy': "sandbox; default-src 'none'; media-src 'self'",
  }
  for (const [name, value] of request.query) {
    const header = overrides[name]
    if (header !== undefined) headers[header] = checkedValue(header, value)
  }
  return headers
}

/** GetObject and HeadObject. */
export const getObject: Operation = async (store, { request }) => {
  const opened = await store.objects.open(request.key)
  if (!opened) throw new S3Error('NoSuchKey')
  let isHandedOver = false
  try {
    const { facts } = opened
    const headers = headersOf(request, facts)
    if (checkRead(request, facts) === 'not-modified') return { status: 304, headers }
    const range = mayServeRange(request, facts)
      ? readRange(request.headers.get('range'), facts.size)
      : undefined
    const { first, last } = range ?? { first: 0, last: facts.size - 1 }
    headers['content-length'] = String(last - first + 1)
    if (range) headers['content-range'] = `bytes ${first}-${last}/${facts.size}`
    else if (facts.checksum && amzHeader(request, 'x-amz-checksum-mode') === 'ENABLED')
      headers[checksumHeader(facts.checksum.name)] = facts.checksum.value
    const status = range ? 206 : 200
    if (request.method === 'HEAD') return { status, headers }
    isHandedOver = true
    return { status, headers, stream: { bytes: opened.read({ first, last }), close: opened.close } }
  } finally {
    if (!isHandedOver) await opened.close()
  }
}

/**
 * The one range that a header asks for, within `size` bytes. Undefined for the whole: also if the header is malformed or
 * asks for several ranges, because a server may ignore it then. Throws InvalidRange if it lies beyond the end.
 */
function readRange(header: string | undefined, size: number): ByteRange | undefined {
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? []
  if (from === undefined || to === undefined || (from === '' && to === '')) return undefined
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined
  const first = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (first > last) throw new S3Error('InvalidRange', undefined, { 'content-range': `bytes */${size}` })
  return { first, last }
}
