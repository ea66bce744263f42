import { mediaBatches } from '@atrium/client'
import { texts } from '../../../text/console.ts'

/** Pictures and sounds that are sent together, so that a folder of faces is not a thousand uploads. */
export interface MediaBatch {
  name: string
  size: number
  files: readonly File[]
}

/** A video, or pictures and sounds that go together. */
export type Uploadable = File | MediaBatch

export const mediaBatchesOf = (files: readonly File[]): MediaBatch[] =>
  mediaBatches(files).map((batch) => ({
    name: texts().mediaUploads.batch(batch[0]?.name ?? '', batch.length - 1),
    size: batch.reduce((sum, { size }) => sum + size, 0),
    files: batch,
  }))
