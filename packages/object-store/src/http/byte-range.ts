import type { ByteRange } from '../disk/read-object.ts'
import { S3Error } from './s3-error.ts'

/**
 * The one range that a header asks for, within `size` bytes. Undefined for the whole: also if the header is malformed or
 * asks for several ranges, because a server may ignore it then. Throws InvalidRange if it lies beyond the end.
 */
export function readRange(header: string | undefined, size: number): ByteRange | undefined {
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? []
  if (from === undefined || to === undefined || (from === '' && to === '')) return undefined
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined
  const first = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (first > last) throw new S3Error('InvalidRange', undefined, { 'content-range': `bytes */${size}` })
  return { first, last }
}
