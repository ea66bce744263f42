import { type Finding, ok, problem, warning } from '../finding.ts'

export interface ObjectStoreFacts {
  /** The first step that failed, with the name that the store gives to the error. */
  failure: { step: 'write' | 'read' | 'erase'; code: string } | undefined
  cors: CorsFacts | undefined
}

export interface CorsFacts {
  /** Of the pages that upload; undefined if PUBLIC_URL is not set. */
  origin: string | undefined
  /** Headers of the reply to a preflight request and to an upload; absent ones are undefined. */
  allowOrigin: string | undefined
  allowMethods: string | undefined
  exposeHeaders: string | undefined
}

export function judgeObjectStore({ failure, cors }: ObjectStoreFacts): Finding[] {
  const check = 'object store'
  if (failure?.step === 'write') return [judgeFirstFailure(failure.code)]
  const own = failure
    ? problem(
        check,
        `An object was written, but the attempt to ${failure.step} it failed (${failure.code}).`,
        'Allow this key s3:GetObject, s3:PutObject, s3:DeleteObject and the rights for uploads in parts.',
      )
    : ok(check, 'An object was written, read and erased.')
  return cors ? [own, judgeCors(cors)] : [own]
}

function judgeFirstFailure(code: string): Finding {
  const mends: Record<string, string> = {
    InvalidAccessKeyId: 'The store does not know S3_ACCESS_KEY_ID. Correct it.',
    SignatureDoesNotMatch: 'S3_SECRET_ACCESS_KEY does not belong to S3_ACCESS_KEY_ID. Correct it.',
    NoSuchBucket: 'Create the bucket, or correct VIDEO_BUCKET.',
    AccessDenied: 'Allow this key s3:PutObject for objects below videos/ in the bucket.',
    RequestTimeTooSkewed: 'Set the clocks of both machines by NTP.',
    StorageFull: 'Free space in the store.',
  }
  const mend = mends[code]
  return mend === undefined
    ? problem(
        'object store',
        `The object store cannot be reached (${code}).`,
        'Start it, or correct S3_ENDPOINT.',
      )
    : problem('object store', `The object store refuses to write (${code}).`, mend)
}

function judgeCors({ origin, allowOrigin, allowMethods, exposeHeaders }: CorsFacts): Finding {
  const check = 'object store CORS'
  const mend = 'Give the bucket the CORS rules in docs/video.md.'
  const page = origin ?? 'any page'
  if (allowOrigin !== '*' && (origin === undefined || allowOrigin !== origin))
    return origin === undefined
      ? warning(
          check,
          'The store does not allow every page to upload, and PUBLIC_URL does not say which one it should.',
          'Set PUBLIC_URL and check again.',
        )
      : problem(check, `The store does not allow uploads from ${page}.`, mend)
  if (!listed(allowMethods, 'PUT'))
    return problem(check, `The store allows no PUT from ${page}, and uploads are PUT requests.`, mend)
  if (!listed(exposeHeaders, 'ETag'))
    return problem(check, 'The store hides the header ETag from pages, so no upload can be completed.', mend)
  return ok(check, `The store allows uploads from ${page}.`)
}

const listed = (header: string | undefined, name: string): boolean =>
  (header ?? '').split(',').some((part) => ['*', name.toLowerCase()].includes(part.trim().toLowerCase()))
