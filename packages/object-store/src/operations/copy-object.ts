import { createFileSink } from '../body/file-sink.ts'
import type { OpenObject } from '../disk/read-object.ts'
import type { ObjectFacts } from '../disk/sealed-file.ts'
import { objectHeaders } from '../http/object-headers.ts'
import { S3Error } from '../http/s3-error.ts'
import { amzHeader, type S3Request } from '../http/s3-request.ts'
import { xmlDocument } from '../http/xml-text.ts'
import { openCopySource } from './copy-source.ts'
import { type Operation, quoted, type Store, xmlReply } from './store.ts'

/** CopyObject. Onto itself it needs new metadata, as in S3: a copy that changes nothing is probably a mistake. */
export const copyObject: Operation = async (store, { request }) => {
  const replaces = directiveOf(request) === 'REPLACE'
  const source = await openCopySource(store, request)
  try {
    if (source.facts.key === request.key && !replaces)
      throw new S3Error(
        'InvalidRequest',
        'This copy request is illegal because it is trying to copy an object to itself without changing its metadata.',
      )
    if (source.facts.size > store.limits.copyBytes)
      throw new S3Error(
        'InvalidRequest',
        `The specified copy source is larger than the maximum allowable size for a copy source: ${store.limits.copyBytes}`,
      )
    const facts: ObjectFacts = {
      ...source.facts,
      key: request.key,
      headers: replaces ? objectHeaders(request) : source.facts.headers,
      modifiedAt: store.now(),
    }
    await storeCopy(store, source, facts)
    return xmlReply(
      xmlDocument('CopyObjectResult', [
        ['ETag', quoted(facts.etag)],
        ['LastModified', new Date(facts.modifiedAt).toISOString()],
      ]),
    )
  } finally {
    await source.close()
  }
}

function directiveOf(request: S3Request): string {
  const directive = amzHeader(request, 'x-amz-metadata-directive') ?? 'COPY'
  if (directive !== 'COPY' && directive !== 'REPLACE')
    throw new S3Error('InvalidArgument', 'x-amz-metadata-directive must be COPY or REPLACE.')
  return directive
}

/** Parts get a second name, whatever their size. What was stored at once is copied. */
async function storeCopy(store: Store, source: OpenObject, facts: ObjectFacts): Promise<void> {
  if (facts.pieces) {
    return await store.uploads.duplicate(facts.pieces, facts.key, (pieces) =>
      store.drafts.use(0, (draft) => store.objects.put(draft, { ...facts, pieces })),
    )
  }
  await store.drafts.use(facts.size, async (draft) => {
    const sink = createFileSink(draft.file)
    for await (const bytes of source.read({ first: 0, last: facts.size - 1 })) await sink.write(bytes)
    await sink.end()
    await store.objects.put(draft, facts)
  })
}
