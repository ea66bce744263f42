import type { ByteRange } from '../../ports/blob-store.ts'

/** What a Range header asks for: from a place on, or the last bytes. */
export type RequestedRange = ByteRange | { lastBytes: number }

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
