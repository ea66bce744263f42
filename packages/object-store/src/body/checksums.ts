import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { S3Error } from '../http/s3-error.ts'
import { amzHeader, type S3Request } from '../http/s3-request.ts'
import type { Payload } from '../signature/verify-request.ts'

/** The checksums of S3 that Node computes natively. Others are refused: a check that we cannot make must not seem made. */
const digestBytes = { crc32: 4, sha1: 20, sha256: 32 } as const
export type ChecksumName = keyof typeof digestBytes
const unsupported = ['crc32c', 'crc64nvme']

export const checksumHeader = (name: ChecksumName): string => `x-amz-checksum-${name}`
const isChecksumName = (name: string): name is ChecksumName => Object.hasOwn(digestBytes, name)

/** What the sender says about the bytes. All of it is verified. */
export interface Expectations {
  md5?: string
  sha256?: string
  /** The value is base64; absent while it is still to come in the trailer. */
  checksum?: { name: ChecksumName; value?: string }
}

export function expectationsOf(request: S3Request, payload: Payload): Expectations {
  const md5 = request.headers.get('content-md5')
  if (md5 !== undefined && !isBase64(md5, 16)) throw new S3Error('InvalidDigest')
  const checksum = checksumOf(request)
  return {
    ...(md5 !== undefined && { md5 }),
    ...(payload.kind === 'hashed' && { sha256: payload.sha256 }),
    ...(checksum && { checksum }),
  }
}

function checksumOf(request: S3Request): Expectations['checksum'] {
  for (const name of unsupported)
    if (amzHeader(request, `x-amz-checksum-${name}`) !== undefined) throw unsupportedChecksum(name)
  for (const name of Object.keys(digestBytes).filter(isChecksumName)) {
    const value = amzHeader(request, checksumHeader(name))
    if (value !== undefined) return { name, value: checkedValue(name, value) }
  }
  const [, trailing] =
    /^x-amz-checksum-([a-z0-9]{1,16})$/.exec(request.headers.get('x-amz-trailer') ?? '') ?? []
  if (trailing === undefined) return undefined
  if (!isChecksumName(trailing)) throw unsupportedChecksum(trailing)
  return { name: trailing }
}

const unsupportedChecksum = (name: string): S3Error =>
  new S3Error('NotImplemented', `The checksum ${name} is not implemented; use crc32, sha1 or sha256.`)

export function checkedValue(name: ChecksumName, value: string): string {
  if (!isBase64(value, digestBytes[name])) throw new S3Error('InvalidDigest')
  return value
}

const isBase64 = (text: string, bytes: number): boolean =>
  text.length <= 64 &&
  Buffer.from(text, 'base64').length === bytes &&
  Buffer.from(text, 'base64').toString('base64') === text

interface Digests {
  update(bytes: Buffer): void
  /** Throws S3Error if the bytes are not what the sender says they are. Returns the MD5 in hex. */
  verify(expectations: Expectations): string
}

/** Computes only what is needed: the MD5 becomes the ETag, the others cost time. */
export function createDigests({ sha256, checksum }: Expectations): Digests {
  const md5 = createHash('md5')
  const sha = sha256 !== undefined || checksum?.name === 'sha256' ? createHash('sha256') : undefined
  const sha1 = checksum?.name === 'sha1' ? createHash('sha1') : undefined
  const hasCrc = checksum?.name === 'crc32'
  let crc = 0
  return {
    update(bytes) {
      md5.update(bytes)
      sha?.update(bytes)
      sha1?.update(bytes)
      if (hasCrc) crc = crc32(bytes, crc)
    },
    verify(expected) {
      const md5Bytes = md5.digest()
      const shaBytes = sha?.digest()
      if (expected.md5 !== undefined && expected.md5 !== md5Bytes.toString('base64'))
        throw new S3Error('BadDigest', 'The Content-MD5 you specified did not match what we received.')
      if (expected.sha256 !== undefined && expected.sha256 !== shaBytes?.toString('hex'))
        throw new S3Error('XAmzContentSHA256Mismatch')
      if (expected.checksum) {
        const actual = {
          crc32: () => crcBytes(crc),
          sha1: () => sha1?.digest(),
          sha256: () => shaBytes,
        }[expected.checksum.name]()
        if (actual?.toString('base64') !== expected.checksum.value) throw new S3Error('BadDigest')
      }
      return md5Bytes.toString('hex')
    },
  }
}

function crcBytes(crc: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(crc)
  return bytes
}
