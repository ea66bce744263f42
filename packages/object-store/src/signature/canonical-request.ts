import { createHash } from 'node:crypto'
import { decode, type S3Request } from '../http/s3-request.ts'

/** Everything but A–Z a–z 0–9 - _ . ~ becomes %XX. */
export const encodeUri = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )

export const sha256Hex = (text: string): string => createHash('sha256').update(text).digest('hex')

interface CanonicalParts {
  request: Pick<S3Request, 'method' | 'rawPath' | 'query' | 'headers'>
  /** Lower-case names in the order in which the signature lists them. */
  signedHeaders: readonly string[]
  payloadHash: string
}

/** What a signature of version 4 is made of. S3 encodes the path once and does not normalise it. */
export function canonicalRequest({ request, signedHeaders, payloadHash }: CanonicalParts): string {
  const path = request.rawPath
    .split('/')
    .map((segment) => encodeUri(decode(segment)))
    .join('/')
  const query = request.query
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => [encodeUri(name), encodeUri(value)] as const)
    .toSorted(([nameA, valueA], [nameB, valueB]) => compare(nameA, nameB) || compare(valueA, valueB))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
  const headers = signedHeaders.map(
    (name) => `${name}:${(request.headers.get(name) ?? '').trim().replace(/\s+/g, ' ')}\n`,
  )
  return [request.method, path, query, headers.join(''), signedHeaders.join(';'), payloadHash].join('\n')
}

/** By code unit, as the signature's rules want; not by locale. All names and values are ASCII by now. */
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
