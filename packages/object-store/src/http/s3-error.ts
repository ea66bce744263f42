import { escapeXml } from './xml-text.ts'

/** Error codes of S3 that we use, with their status and a message for when there is no better one. */
const catalogue = {
  AccessDenied: [403, 'Access Denied'],
  AuthorizationHeaderMalformed: [400, 'The authorization header is malformed.'],
  AuthorizationQueryParametersError: [400, 'The query parameters of the signature are malformed.'],
  BadDigest: [400, 'The checksum you specified did not match what we received.'],
  BucketAlreadyOwnedByYou: [409, 'The bucket exists already.'],
  EntityTooLarge: [400, 'Your proposed upload exceeds the maximum allowed size.'],
  EntityTooSmall: [400, 'Your proposed upload is smaller than the minimum allowed size.'],
  IncompleteBody: [400, 'The body has fewer bytes than its Content-Length says.'],
  InternalError: [500, 'We encountered an internal error. Please try again.'],
  InvalidAccessKeyId: [403, 'There is no such access key.'],
  InvalidArgument: [400, 'Invalid Argument'],
  InvalidChunkSizeError: [400, 'A chunk of the body is malformed.'],
  InvalidDigest: [400, 'The Content-MD5 or checksum you specified is not valid.'],
  InvalidPart: [400, 'A part was not found, or its ETag does not match.'],
  InvalidPartOrder: [400, 'The parts are not listed in ascending order of their numbers.'],
  InvalidRange: [416, 'The requested range is not satisfiable.'],
  InvalidRequest: [400, 'Invalid Request'],
  InvalidURI: [400, 'The address cannot be read.'],
  KeyTooLongError: [400, 'Your key is too long.'],
  MalformedXML: [400, 'The XML you provided is not well-formed or does not have the documented form.'],
  MetadataTooLarge: [400, 'Your metadata headers exceed the maximum allowed size.'],
  MethodNotAllowed: [405, 'The method is not allowed here.'],
  MissingContentLength: [411, 'You must provide the Content-Length header.'],
  NoSuchBucket: [404, 'There is no such bucket.'],
  NoSuchKey: [404, 'There is no such object.'],
  NoSuchUpload: [404, 'There is no such upload. It may have been completed or aborted.'],
  NotImplemented: [501, 'This store does not implement what you asked for.'],
  PreconditionFailed: [412, 'At least one of the preconditions you specified did not hold.'],
  RequestTimeTooSkewed: [403, 'The time of the request differs too much from ours.'],
  RequestTimeout: [400, 'No data arrived for too long.'],
  ServiceUnavailable: [503, 'The store is temporarily unavailable. Please try again.'],
  SignatureDoesNotMatch: [403, 'The signature does not match the request.'],
  SlowDown: [503, 'Too many uploads at once. Please try again.'],
  StorageFull: [507, 'There is no space left for this object.'],
  XAmzContentSHA256Mismatch: [400, 'The body does not have the hash of x-amz-content-sha256.'],
} as const satisfies Record<string, readonly [number, string]>

type S3ErrorCode = keyof typeof catalogue

/** A refusal. Everything else that is thrown is a defect or a broken disk. */
export class S3Error extends Error {
  readonly code: S3ErrorCode
  readonly status: number
  readonly headers: Record<string, string>

  constructor(code: S3ErrorCode, message?: string, headers: Record<string, string> = {}) {
    const [status, sentence] = catalogue[code]
    super(message ?? sentence)
    this.code = code
    this.status = status
    this.headers = headers
  }
}

/** What every error looks like to a client. */
export const errorXml = ({ code, message }: S3Error, resource: string, requestId: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${escapeXml(message)}</Message>` +
  `<Resource>${escapeXml(resource)}</Resource><RequestId>${escapeXml(requestId)}</RequestId></Error>`
