import { videoIdOfOriginal } from '@atrium/contract'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'

/** An original that has been stored, whichever way we learned of it. */
export interface StoredOriginal {
  videoId: string
  storageKey: string
  /** Differs whenever the object is written again, and is the same when an event is delivered twice. */
  writing: string
}

const Key = Type.String({ minLength: 1, maxLength: 4_096 })
const Mark = Type.Optional(Type.String({ maxLength: 1_024 }))

/** What a bucket sends when it notifies a function, a queue or a topic directly. Keys are encoded as in a form. */
const Notification = Compile(
  Type.Object({
    Records: Type.Array(
      Type.Object({
        eventSource: Type.Optional(Type.String()),
        eventName: Type.String(),
        eventTime: Mark,
        s3: Type.Object({
          bucket: Type.Object({ name: Type.String() }),
          object: Type.Object({ key: Key, eTag: Mark, versionId: Mark, sequencer: Mark }),
        }),
      }),
      { maxItems: 1_000 },
    ),
  }),
)

/** What a bucket sends through EventBridge. Keys are as they are. */
const BridgeEvent = Compile(
  Type.Object({
    source: Type.Literal('aws.s3'),
    'detail-type': Type.Literal('Object Created'),
    time: Mark,
    detail: Type.Object({
      bucket: Type.Object({ name: Type.String() }),
      object: Type.Object({ key: Key, etag: Mark, 'version-id': Mark, sequencer: Mark }),
    }),
  }),
)

/** The originals that an event announces. Other objects, other events and test events announce none. */
export function storedOriginals(event: unknown, bucket: string): StoredOriginal[] {
  if (BridgeEvent.Check(event)) {
    const { time, detail } = event
    const { key, etag, sequencer, 'version-id': version } = detail.object
    return detail.bucket.name === bucket ? originalAt(key, [version, etag, sequencer ?? time]) : []
  }
  if (!Notification.Check(event)) return []
  return event.Records.flatMap(({ eventName, eventTime, s3 }) => {
    const { key, eTag, versionId, sequencer } = s3.object
    const isOurs = s3.bucket.name === bucket && /^(s3:)?ObjectCreated:/.test(eventName)
    return isOurs ? originalAt(fromForm(key), [versionId, eTag, sequencer ?? eventTime]) : []
  })
}

function originalAt(
  storageKey: string | undefined,
  marks: readonly (string | undefined)[],
): StoredOriginal[] {
  const videoId = storageKey === undefined ? undefined : videoIdOfOriginal(storageKey)
  if (storageKey === undefined || videoId === undefined) return []
  return [{ videoId, storageKey, writing: JSON.stringify(marks.map((mark) => mark ?? null)) }]
}

function fromForm(key: string): string | undefined {
  try {
    return decodeURIComponent(key.replaceAll('+', ' '))
  } catch {
    return undefined // Not encoded as S3 does it, so not from S3.
  }
}

export interface UploadedObject {
  bucket: string
  key: string
  etag?: string
  /** A new one for each writing of the object, and also for trying the same one again. */
  sequencer: string
}

/** The event of an upload, raised by ourselves where no bucket sends events. */
export const uploadEvent = ({ bucket, key, etag, sequencer }: UploadedObject) => ({
  version: '0',
  'detail-type': 'Object Created',
  source: 'aws.s3',
  detail: {
    version: '0',
    bucket: { name: bucket },
    object: { key, sequencer, ...(etag !== undefined && { etag }) },
  },
})
