import { S3Error } from '../http/s3-error.ts'
import { amzHeader, type S3Request } from '../http/s3-request.ts'
import { canonicalRequest, sha256Hex } from './canonical-request.ts'
import { algorithm, type Claim, readClaim } from './read-credential.ts'
import { isSignature, scopeText, sign, signingKey } from './signing-key.ts'

export interface Credentials {
  accessKeyId: string
  secretAccessKey: string
}

/** How the body is protected. */
export type Payload =
  | { kind: 'unsigned' }
  | { kind: 'hashed'; sha256: string }
  /** In the encoding aws-chunked, perhaps with a signature for each chunk, perhaps with a trailer. */
  | { kind: 'chunked'; hasTrailer: boolean; signatures?: ChunkSignatures }

/** Of S3: clocks may differ by a quarter of an hour. */
const maxSkewMs = 15 * 60 * 1000

const chunkedPayloads: Record<string, { hasTrailer: boolean; isSigned: boolean }> = {
  'STREAMING-UNSIGNED-PAYLOAD-TRAILER': { hasTrailer: true, isSigned: false },
  'STREAMING-AWS4-HMAC-SHA256-PAYLOAD': { hasTrailer: false, isSigned: true },
  'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER': { hasTrailer: true, isSigned: true },
}

/**
 * Throws S3Error unless somebody who knows one of the secrets made exactly this request, and its time has not passed. `hosts` are
 * the names by which the client may have called us, if a proxy does not pass them on as the header.
 */
export function verifyRequest(
  request: S3Request,
  credentials: readonly Credentials[],
  now: number,
  hosts: readonly string[] = [],
): Payload {
  const claim = readClaim(request)
  const candidates = credentials.filter(({ accessKeyId }) => accessKeyId === claim.accessKeyId)
  if (candidates.length === 0) throw new S3Error('InvalidAccessKeyId')
  refuseUnsigned(request, claim)
  const payloadHash = payloadHashOf(request, claim)
  const isSignedFor = (key: Buffer, host: string | undefined): boolean => {
    const headers = host === undefined ? request.headers : new Map(request.headers).set('host', host)
    const { signedHeaders, timestamp, scope, signature } = claim
    const canonical = canonicalRequest({ request: { ...request, headers }, signedHeaders, payloadHash })
    const stringToSign = [algorithm, timestamp, scopeText(scope), sha256Hex(canonical)].join('\n')
    return isSignature(sign(key, stringToSign), signature)
  }
  const key = candidates
    .map(({ secretAccessKey }) => signingKey(secretAccessKey, claim.scope))
    .find((candidate) => [undefined, ...hosts].some((host) => isSignedFor(candidate, host)))
  if (key === undefined) throw new S3Error('SignatureDoesNotMatch')
  // Only now: nobody learns about times and expiries by guessing.
  refuseWrongTime(claim, now)
  return payloadOf(payloadHash, claim, key)
}

/**
 * A header that changes what a request means must be signed, or the holder of a presigned upload could turn it into a
 * copy of any object.
 */
function refuseUnsigned({ headers }: S3Request, { signedHeaders }: Claim): void {
  if (!signedHeaders.includes('host')) throw new S3Error('AccessDenied', 'The header host must be signed.')
  for (const name of headers.keys())
    if (name.startsWith('x-amz-') && !signedHeaders.includes(name))
      throw new S3Error(
        'AccessDenied',
        `There were headers present in the request which were not signed: ${name}`,
      )
}

function payloadHashOf(request: S3Request, claim: Claim): string {
  const given = amzHeader(request, 'x-amz-content-sha256')
  if (given !== undefined) return given
  if (claim.place === 'query') return 'UNSIGNED-PAYLOAD'
  throw new S3Error('InvalidRequest', 'The header x-amz-content-sha256 is missing.')
}

function payloadOf(payloadHash: string, claim: Claim, key: Buffer): Payload {
  if (payloadHash === 'UNSIGNED-PAYLOAD') return { kind: 'unsigned' }
  if (/^[0-9a-f]{64}$/.test(payloadHash)) return { kind: 'hashed', sha256: payloadHash }
  const chunked = Object.hasOwn(chunkedPayloads, payloadHash) ? chunkedPayloads[payloadHash] : undefined
  if (!chunked)
    throw new S3Error(
      'InvalidArgument',
      'x-amz-content-sha256 is neither a hash nor a known kind of payload.',
    )
  const { hasTrailer, isSigned } = chunked
  return {
    kind: 'chunked',
    hasTrailer,
    ...(isSigned && { signatures: createChunkSignatures(claim, key) }),
  }
}

function refuseWrongTime({ signedAt, expiresInSeconds }: Claim, now: number): void {
  if (expiresInSeconds === undefined) {
    if (Math.abs(now - signedAt) > maxSkewMs) throw new S3Error('RequestTimeTooSkewed')
    return
  }
  if (signedAt - now > maxSkewMs) throw new S3Error('AccessDenied', 'Request is not valid yet')
  if (now >= signedAt + expiresInSeconds * 1000) throw new S3Error('AccessDenied', 'Request has expired')
}

/** Signatures of chunks form a chain that begins with the signature of the head. */
interface ChunkSignatures {
  /** Whether the next chunk, given by the SHA-256 of its bytes, has this signature. */
  isNext(chunkSha256: string, signature: string): boolean
  /** Whether the trailer, given by its SHA-256, has this signature. */
  isTrailer(trailerSha256: string, signature: string): boolean
}

const emptySha256 = sha256Hex('')

function createChunkSignatures(claim: Claim, key: Buffer): ChunkSignatures {
  let previous = claim.signature
  const scope = scopeText(claim.scope)
  return {
    isNext(chunkSha256, signature) {
      const lines = ['AWS4-HMAC-SHA256-PAYLOAD', claim.timestamp, scope, previous, emptySha256, chunkSha256]
      if (!isSignature(sign(key, lines.join('\n')), signature)) return false
      previous = signature
      return true
    },
    isTrailer(trailerSha256, signature) {
      const lines = ['AWS4-HMAC-SHA256-TRAILER', claim.timestamp, scope, previous, trailerSha256]
      return isSignature(sign(key, lines.join('\n')), signature)
    },
  }
}
