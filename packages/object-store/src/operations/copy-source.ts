import type { OpenObject } from '../disk/read-object.ts'
import { S3Error } from '../http/s3-error.ts'
import { amzHeader, checkKey, decode, type S3Request } from '../http/s3-request.ts'
import { type Store, unquoted } from './store.ts'

const unsupported = ['x-amz-copy-source-if-none-match', 'x-amz-copy-source-if-modified-since']
const unmodifiedSince = 'x-amz-copy-source-if-unmodified-since'

/** Opens the object that x-amz-copy-source names. The caller closes it. */
export async function openCopySource(store: Store, request: S3Request): Promise<OpenObject> {
  for (const name of [...unsupported, unmodifiedSince])
    if (amzHeader(request, name) !== undefined)
      throw new S3Error('NotImplemented', `${name} is not implemented.`)
  const given = amzHeader(request, 'x-amz-copy-source') ?? ''
  if (given.includes('?')) throw new S3Error('NotImplemented', 'There are no versions of objects.')
  const path = decode(given).replace(/^\//, '')
  const slash = path.indexOf('/')
  if (slash < 0 || slash === path.length - 1)
    throw new S3Error('InvalidArgument', 'Copy Source must mention the source bucket and key.')
  if (path.slice(0, slash) !== store.bucket) throw new S3Error('NoSuchBucket')
  const opened = await store.objects.open(checkKey(path.slice(slash + 1)))
  if (!opened) throw new S3Error('NoSuchKey')
  const match = amzHeader(request, 'x-amz-copy-source-if-match')
  if (match !== undefined && unquoted(match) !== opened.facts.etag) {
    await opened.close()
    throw new S3Error('PreconditionFailed')
  }
  return opened
}
