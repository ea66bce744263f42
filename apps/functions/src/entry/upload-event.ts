import { videoIdOfOriginal } from '@atrium/contract'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { type StoredOriginal, type SubmitDeps, submit } from '../submit.ts'

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

/**
 * Handles an upload event: submits the originals that it announces. Rejects if that may succeed later, so that the
 * platform delivers the event again; an event that is delivered twice makes one job of each original.
 */
export async function handleUploadEvent(event: unknown, bucket: string, deps: SubmitDeps): Promise<void> {
  const originals = storedOriginals(event, bucket)
  if (originals.length === 0) deps.log.info({}, 'the event announces no original')
  const failures: unknown[] = []
  for (const original of originals)
    await submit(original, deps).catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}

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
