import type { BlobFacts, ByteRange, OpenBlob } from '../../ports/blob-store.ts'
import type { ObjectAccess } from './object-access.ts'

export type FoundOutput = BlobFacts & { range?: Required<ByteRange>; stream?: OpenBlob['stream'] }

interface OutputRequest {
  method: string
  headers: { range?: string | undefined; 'if-range'?: string | string[] | undefined }
}

/** What a request asks for: everything, or a range of it. Undefined if there is no such object. */
export async function findOutput(
  { method, headers }: OutputRequest,
  objects: ObjectAccess,
  key: string,
): Promise<FoundOutput | 'unsatisfiable' | undefined> {
  const findBytes = method === 'HEAD' ? look : open
  const requested = parseRange(headers.range)
  const found = await findBytes(objects, key, requested)
  if (!requested || !found || headers['if-range'] === undefined) return found
  // RFC 9110: a part is of no use to whoever holds another version of the rest.
  if (found !== 'unsatisfiable' && headers['if-range'] === `"${found.etag}"`) return found
  if (found !== 'unsatisfiable') found.stream?.destroy()
  return await findBytes(objects, key, undefined)
}

/** As `open`, without the content. */
async function look(
  objects: ObjectAccess,
  key: string,
  requested: RequestedRange | undefined,
): Promise<FoundOutput | 'unsatisfiable' | undefined> {
  const facts = await objects((blobs) => blobs.head(key))
  if (!facts || !requested) return facts
  const range = rangeWithin(requested, facts.size)
  return range ? { ...facts, range } : 'unsatisfiable'
}

async function open(
  objects: ObjectAccess,
  key: string,
  requested: RequestedRange | undefined,
): Promise<FoundOutput | 'unsatisfiable' | undefined> {
  // Only the size tells where the last bytes begin.
  const isFromEnd = requested !== undefined && 'lastBytes' in requested
  const known = isFromEnd ? await look(objects, key, requested) : undefined
  if (isFromEnd && (known === undefined || known === 'unsatisfiable')) return known
  const range = isFromEnd ? (known as FoundOutput).range : requested
  try {
    return await objects((blobs) => blobs.open(key, range))
  } catch (error) {
    if (error instanceof RangeError) return 'unsatisfiable'
    throw error
  }
}

/** What a Range header asks for: from a place on, or the last bytes. */
type RequestedRange = ByteRange | { lastBytes: number }

/**
 * Undefined for everything: without a header, and for lists, other units and whatever cannot be read, which a server may
 * ignore (RFC 9110).
 */
export function parseRange(header: string | undefined): RequestedRange | undefined {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (from === '') return to === '' ? undefined : { lastBytes: Number(to) }
  if (to === '') return { first: Number(from) }
  return Number(to) < Number(from) ? undefined : { first: Number(from), last: Number(to) }
}

/** The range in an object of this size; undefined if it has no such bytes. */
export function rangeWithin(requested: RequestedRange, size: number): Required<ByteRange> | undefined {
  const { first, last } =
    'lastBytes' in requested
      ? { first: requested.lastBytes === 0 ? size : Math.max(0, size - requested.lastBytes), last: size - 1 }
      : { first: requested.first, last: Math.min(requested.last ?? size - 1, size - 1) }
  return first < size ? { first, last } : undefined
}
