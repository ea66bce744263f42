import { checksumHeader } from '../body/checksums.ts'
import { createFileSink } from '../body/file-sink.ts'
import { declaredBytes, receiveBody } from '../body/receive-body.ts'
import { writeConditionOf } from '../http/conditions.ts'
import { objectHeaders } from '../http/object-headers.ts'
import { type Operation, quoted } from './store.ts'

export const putObject: Operation = async (store, upload) => {
  const { request } = upload
  const headers = objectHeaders(request)
  const condition = writeConditionOf(request)
  const size = declaredBytes(upload, store.limits.putBytes)
  const { md5, checksum } = await store.drafts.use(size, async (draft) => {
    const received = await receiveBody(upload, size, createFileSink(draft.file))
    const { md5: etag, checksum } = received
    const facts = { key: request.key, headers, size, etag, modifiedAt: store.now(), checksum }
    await store.objects.put(draft, facts, condition)
    return received
  })
  return {
    status: 200,
    headers: { etag: quoted(md5), ...(checksum && { [checksumHeader(checksum.name)]: checksum.value }) },
  }
}

export const deleteObject: Operation = async (store, { request }) => {
  await store.objects.remove(request.key)
  return { status: 204 }
}
