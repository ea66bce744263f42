import { canonicalRequest, encodeUri, sha256Hex } from './canonical-request.ts'
import { algorithm } from './read-credential.ts'
import { scopeText, sign, signingKey } from './signing-key.ts'
import type { Credentials } from './verify-request.ts'

export interface PartToSign {
  /** Where the client reaches the store: up to the slash before the bucket. */
  root: string
  bucket: string
  key: string
  uploadId: string
  partNumber: number
  /** Signed too: nobody can store more through the address than what was announced. */
  size: number
  expiresInSeconds: number
}

/** Any would do: it only has to be the same in the signature and in the address. */
const region = 'us-east-1'

/** The address to which whoever has it can send this part, as the SDK presigns it. */
export function presignPart(part: PartToSign, credentials: Credentials, now: number): string {
  const { origin, host, pathname } = new URL(part.root)
  const timestamp = new Date(now).toISOString().replace(/[:-]|\.\d{3}/g, '')
  const scope = { date: timestamp.slice(0, 8), region }
  const signedHeaders = ['content-length', 'host']
  const query: [string, string][] = [
    ['X-Amz-Algorithm', algorithm],
    ['X-Amz-Content-Sha256', 'UNSIGNED-PAYLOAD'],
    ['X-Amz-Credential', `${credentials.accessKeyId}/${scopeText(scope)}`],
    ['X-Amz-Date', timestamp],
    ['X-Amz-Expires', String(part.expiresInSeconds)],
    ['X-Amz-SignedHeaders', signedHeaders.join(';')],
    ['partNumber', String(part.partNumber)],
    ['uploadId', part.uploadId],
    ['x-id', 'UploadPart'],
  ]
  const path = [pathname.replace(/\/$/, ''), part.bucket, ...part.key.split('/').map(encodeUri)].join('/')
  const headers = new Map([
    ['content-length', String(part.size)],
    ['host', host],
  ])
  const canonical = canonicalRequest({
    request: { method: 'PUT', rawPath: path, query, headers },
    signedHeaders,
    payloadHash: 'UNSIGNED-PAYLOAD',
  })
  const key = signingKey(credentials.secretAccessKey, scope)
  const signature = sign(key, [algorithm, timestamp, scopeText(scope), sha256Hex(canonical)].join('\n'))
  const search = [...query, ['X-Amz-Signature', signature] as const]
    .map(([name, value]) => `${name}=${encodeUri(value)}`)
    .join('&')
  return `${origin}${path}?${search}`
}
