import type { IncomingMessage } from 'node:http'
import { S3Error } from './s3-error.ts'

/** The head of a request. Nothing in it is trusted before its signature has been verified. */
export interface S3Request {
  method: string
  /** As it was sent: with the prefix under which the store is mounted, and still encoded. */
  rawPath: string
  /** Decoded, in the order in which they were sent. */
  query: readonly (readonly [name: string, value: string])[]
  /** By lower-case name; values of repeated headers are joined by commas. */
  headers: ReadonlyMap<string, string>
  bucket: string
  /** Empty for requests about the bucket. */
  key: string
}

/** No client of S3 sends nearly as many. */
const maxParameters = 64
const maxKeyBytes = 1_024
/** They could not be listed: XML 1.0 cannot express them. */
const unlistable = /[\p{Cc}\u{fffe}\u{ffff}]/u

/** Reads the address and headers. Throws S3Error for addresses that are not below the prefix or cannot be decoded. */
export function readRequest(message: IncomingMessage, prefix: string): S3Request {
  const url = message.url ?? ''
  const mark = url.indexOf('?')
  const rawPath = mark < 0 ? url : url.slice(0, mark)
  if (!rawPath.startsWith(`${prefix}/`)) throw new S3Error('InvalidURI')
  const path = rawPath.slice(prefix.length + 1)
  const slash = path.indexOf('/')
  return {
    method: message.method ?? '',
    rawPath,
    query: mark < 0 ? [] : readQuery(url.slice(mark + 1)),
    headers: new Map(
      Object.entries(message.headersDistinct).map(([name, values]) => [name, (values ?? []).join(',')]),
    ),
    bucket: decode(slash < 0 ? path : path.slice(0, slash)),
    key: slash < 0 ? '' : checkKey(decode(path.slice(slash + 1))),
  }
}

export function checkKey(key: string): string {
  if (Buffer.byteLength(key) > maxKeyBytes) throw new S3Error('KeyTooLongError')
  if (unlistable.test(key)) throw new S3Error('InvalidArgument', 'A key has no control characters.')
  return key
}

function readQuery(text: string): [string, string][] {
  const parts = text.split('&', maxParameters + 1).filter((part) => part !== '')
  if (parts.length > maxParameters) throw new S3Error('InvalidRequest', 'There are too many parameters.')
  return parts.map((part) => {
    const equals = part.indexOf('=')
    const [name, value] = equals < 0 ? [part, ''] : [part.slice(0, equals), part.slice(equals + 1)]
    return [decode(name.replaceAll('+', ' ')), decode(value.replaceAll('+', ' '))]
  })
}

export function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new S3Error('InvalidURI')
  }
}

/** The first value of a query parameter. */
export const parameter = ({ query }: Pick<S3Request, 'query'>, name: string): string | undefined =>
  query.find(([given]) => given === name)?.[1]

/**
 * A header, or the query parameter that stands for it: whoever presigns an address puts the x-amz-* headers into its
 * query.
 */
export function amzHeader(request: Pick<S3Request, 'query' | 'headers'>, name: string): string | undefined {
  return request.headers.get(name) ?? request.query.find(([given]) => given.toLowerCase() === name)?.[1]
}
