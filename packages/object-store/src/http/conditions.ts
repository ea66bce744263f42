import type { WriteCondition } from '../disk/objects.ts'
import type { Facts } from '../disk/sealed-file.ts'
import { S3Error } from './s3-error.ts'
import type { S3Request } from './s3-request.ts'

const isAmong = (etag: string, list: string): boolean =>
  list
    .split(',')
    .map((item) =>
      item
        .trim()
        .replace(/^W\//, '')
        .replace(/^"(.*)"$/, '$1'),
    )
    .some((item) => item === '*' || item === etag)

/** HTTP dates have whole seconds. */
const seconds = (ms: number): number => Math.floor(ms / 1000)
const dateIn = (text: string | undefined): number | undefined => {
  const time = Date.parse(text ?? '')
  return Number.isNaN(time) ? undefined : seconds(time)
}

/** Whether a read goes on or the reader has it already. Throws PreconditionFailed. An ETag outweighs a date. */
export function checkRead({ headers }: S3Request, facts: Facts): 'send' | 'not-modified' {
  const modified = seconds(facts.modifiedAt)
  const match = headers.get('if-match')
  const unmodifiedSince = dateIn(headers.get('if-unmodified-since'))
  if (match !== undefined ? !isAmong(facts.etag, match) : (unmodifiedSince ?? modified) < modified)
    throw new S3Error('PreconditionFailed')
  const noneMatch = headers.get('if-none-match')
  const modifiedSince = dateIn(headers.get('if-modified-since'))
  const isKnown = noneMatch !== undefined ? isAmong(facts.etag, noneMatch) : (modifiedSince ?? -1) >= modified
  return isKnown ? 'not-modified' : 'send'
}

/** RFC 9110: a part is of no use to whoever holds another version of the rest. Weak ETags never match. */
export function mayServeRange({ headers }: S3Request, facts: Facts): boolean {
  const validator = headers.get('if-range')?.trim()
  if (validator === undefined || validator === `"${facts.etag}"`) return true
  return dateIn(validator) === seconds(facts.modifiedAt)
}

/** `If-None-Match: *` writes only a new object, `If-Match` replaces only the one that the writer knows. */
export function writeConditionOf({ headers }: S3Request): WriteCondition {
  const match = headers.get('if-match')
  const noneMatch = headers.get('if-none-match')
  if (noneMatch !== undefined && noneMatch.trim() !== '*')
    throw new S3Error('NotImplemented', 'Writes know only If-None-Match: *.')
  return (existing) => {
    if (noneMatch !== undefined && existing) throw new S3Error('PreconditionFailed')
    if (match === undefined) return
    if (!existing) throw new S3Error('NoSuchKey')
    if (!isAmong(existing.etag, match)) throw new S3Error('PreconditionFailed')
  }
}
