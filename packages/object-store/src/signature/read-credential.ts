import { S3Error } from '../http/s3-error.ts'
import { parameter, type S3Request } from '../http/s3-request.ts'
import type { Scope } from './signing-key.ts'

/** What a request says about its signature, in a header or in its query. */
export interface Claim {
  place: 'header' | 'query'
  accessKeyId: string
  scope: Scope
  signedHeaders: string[]
  signature: string
  /** As signed: yyyymmddThhmmssZ */
  timestamp: string
  /** Epoch milliseconds. */
  signedAt: number
  /** Only of presigned addresses. */
  expiresInSeconds?: number
}

export const algorithm = 'AWS4-HMAC-SHA256'
const credential = /^([\w-]{1,128})\/(\d{8})\/([a-z0-9-]{1,64})\/s3\/aws4_request$/
const headerNames = /^[a-z0-9!#$&'*+.^_`|~-]+(;[a-z0-9!#$&'*+.^_`|~-]+)*$/
/** Of S3: a week. */
const maxExpirySeconds = 604_800

/** Whether somebody uses an address that we have signed; otherwise they know the secret. */
export const isPresigned = (request: S3Request): boolean =>
  parameter(request, 'X-Amz-Algorithm') !== undefined

export function readClaim(request: S3Request): Claim {
  const authorization = request.headers.get('authorization')
  if (authorization !== undefined && isPresigned(request))
    throw new S3Error('InvalidArgument', 'Only one authentication mechanism is allowed.')
  if (authorization !== undefined) return claimInHeader(request, authorization)
  if (isPresigned(request)) return claimInQuery(request)
  throw new S3Error('AccessDenied')
}

function claimInHeader(request: S3Request, authorization: string): Claim {
  const malformed = (): S3Error => new S3Error('AuthorizationHeaderMalformed')
  if (!authorization.startsWith(`${algorithm} `)) throw malformed()
  const fields = new Map(
    authorization
      .slice(algorithm.length)
      .split(',', 4)
      .map((field): [string, string] => {
        const equals = field.indexOf('=')
        return [field.slice(0, equals).trim(), field.slice(equals + 1).trim()]
      }),
  )
  const claim = claimOf(
    {
      credential: fields.get('Credential'),
      signedHeaders: fields.get('SignedHeaders'),
      timestamp: request.headers.get('x-amz-date'),
    },
    malformed,
  )
  return { ...claim, place: 'header', signature: fields.get('Signature') ?? '' }
}

function claimInQuery(request: S3Request): Claim {
  const malformed = (): S3Error => new S3Error('AuthorizationQueryParametersError')
  const names = request.query.map(([name]) => name.toLowerCase()).filter((name) => name.startsWith('x-amz-'))
  // Two readers might choose different ones.
  if (new Set(names).size < names.length) throw malformed()
  if (parameter(request, 'X-Amz-Algorithm') !== algorithm) throw malformed()
  const expiry = parameter(request, 'X-Amz-Expires') ?? ''
  const expiresInSeconds = Number(expiry)
  if (!/^\d{1,6}$/.test(expiry) || expiresInSeconds < 1 || expiresInSeconds > maxExpirySeconds)
    throw new S3Error(
      'AuthorizationQueryParametersError',
      'X-Amz-Expires must be a number of seconds between 1 and 604800.',
    )
  const claim = claimOf(
    {
      credential: parameter(request, 'X-Amz-Credential'),
      signedHeaders: parameter(request, 'X-Amz-SignedHeaders'),
      timestamp: parameter(request, 'X-Amz-Date'),
    },
    malformed,
  )
  return {
    ...claim,
    place: 'query',
    signature: parameter(request, 'X-Amz-Signature') ?? '',
    expiresInSeconds,
  }
}

function claimOf(
  given: Record<'credential' | 'signedHeaders' | 'timestamp', string | undefined>,
  malformed: () => S3Error,
): Omit<Claim, 'place' | 'signature' | 'expiresInSeconds'> {
  const [, accessKeyId, date, region] = credential.exec(given.credential ?? '') ?? []
  const { signedHeaders = '', timestamp = '' } = given
  const signedAt = timeOf(timestamp)
  if (accessKeyId === undefined || date === undefined || region === undefined) throw malformed()
  if (signedAt === undefined || !headerNames.test(signedHeaders) || !timestamp.startsWith(date))
    throw malformed()
  return {
    accessKeyId,
    scope: { date, region },
    signedHeaders: signedHeaders.split(';'),
    timestamp,
    signedAt,
  }
}

function timeOf(timestamp: string): number | undefined {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(timestamp) ?? []
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return Number.isNaN(time) ? undefined : time
}
