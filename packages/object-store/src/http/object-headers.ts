import { validateHeaderValue } from 'node:http'
import { S3Error } from './s3-error.ts'
import type { S3Request } from './s3-request.ts'

const kept = ['cache-control', 'content-disposition', 'content-encoding', 'content-language', 'expires']
const metaPrefix = 'x-amz-meta-'
const maxMetadataBytes = 2_048
/** They change what is stored or who may read it, so ignoring them would be wrong. */
const unsupported =
  /^x-amz-(server-side-encryption|object-lock|tagging|website-redirect|grant-|mfa|expected-)/

/** The headers that are stored with an object and sent with it again. */
export function objectHeaders(request: S3Request): Record<string, string> {
  const given = [
    ...request.headers,
    // Whoever presigns an address puts these headers into its query.
    ...request.query
      .map(([name, value]) => [name.toLowerCase(), value] as const)
      .filter(([name]) => name.startsWith('x-amz-')),
  ]
  for (const [name] of given)
    if (unsupported.test(name)) throw new S3Error('NotImplemented', `${name} is not implemented.`)
  const stored: Record<string, string> = {
    'content-type': request.headers.get('content-type') ?? 'binary/octet-stream',
  }
  let metadataBytes = 0
  for (const [name, value] of given) {
    const text = name === 'content-encoding' ? withoutAwsChunked(value) : value
    const isMeta = name.startsWith(metaPrefix)
    if (text === '' || !(isMeta || kept.includes(name))) continue
    if (isMeta) metadataBytes += name.length - metaPrefix.length + Buffer.byteLength(text)
    stored[name] = checkedValue(name, text)
  }
  if (metadataBytes > maxMetadataBytes) throw new S3Error('MetadataTooLarge')
  return stored
}

/** It described how the body came, not what it is. */
const withoutAwsChunked = (value: string): string =>
  value
    .split(',')
    .map((encoding) => encoding.trim())
    .filter((encoding) => encoding !== 'aws-chunked')
    .join(',')

export function checkedValue(name: string, value: string): string {
  try {
    validateHeaderValue(name, value)
  } catch {
    throw new S3Error('InvalidArgument', `The value of ${name} cannot be sent as a header.`)
  }
  return value
}
