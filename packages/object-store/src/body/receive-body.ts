import type { IncomingMessage } from 'node:http'
import { S3Error } from '../http/s3-error.ts'
import { amzHeader, type S3Request } from '../http/s3-request.ts'
import type { Payload } from '../signature/verify-request.ts'
import { decodeAwsChunked } from './aws-chunked.ts'
import {
  checkedValue,
  checksumHeader,
  createDigests,
  type Expectations,
  expectationsOf,
} from './checksums.ts'
import type { Sink } from './file-sink.ts'
import { chunksOf } from './incoming.ts'
import type { Place } from './places.ts'

/** A request whose signature has been verified, and whose body has not been read. */
export interface Upload {
  message: IncomingMessage
  request: S3Request
  payload: Payload
  idleMs: number
  /** Absent for requests of those who know the secret. */
  place?: Place | undefined
}

interface Received {
  size: number
  md5: string
  checksum: Required<NonNullable<Expectations['checksum']>> | undefined
}

/** How many bytes the body says it has, without its encoding. Refused here if that is too many. */
export function declaredBytes(
  { request, payload }: Pick<Upload, 'request' | 'payload'>,
  maxBytes: number,
): number {
  const name = payload.kind === 'chunked' ? 'x-amz-decoded-content-length' : 'content-length'
  const text = payload.kind === 'chunked' ? amzHeader(request, name) : request.headers.get(name)
  if (text === undefined || !/^\d{1,15}$/.test(text)) throw new S3Error('MissingContentLength')
  if (Number(text) > maxBytes) throw new S3Error('EntityTooLarge')
  return Number(text)
}

/** Passes the bytes to the sink and throws S3Error unless they are complete and have every promised checksum. */
export async function receiveBody(upload: Upload, size: number, sink: Sink): Promise<Received> {
  const { message, request, payload, idleMs, place } = upload
  const expected = expectationsOf(request, payload)
  const digests = createDigests(expected)
  const { checksum } = expected
  const incoming = chunksOf(message, idleMs, place)
  const bytes =
    payload.kind === 'chunked'
      ? decodeAwsChunked(incoming, payload, (name, value) => {
          if (checksum && name === checksumHeader(checksum.name))
            checksum.value = checkedValue(checksum.name, value)
        })
      : incoming
  let received = 0
  for await (const chunk of bytes) {
    received += chunk.length
    if (received > size) throw new S3Error('InvalidRequest', 'The body has more bytes than it declares.')
    digests.update(chunk)
    await sink.write(chunk)
  }
  if (received < size) throw new S3Error('IncompleteBody')
  if (checksum && checksum.value === undefined)
    throw new S3Error('InvalidRequest', 'The checksum that the trailer promises is missing.')
  const md5 = digests.verify(expected)
  await sink.end()
  return { size, md5, checksum: checksum && { name: checksum.name, value: checksum.value ?? '' } }
}
