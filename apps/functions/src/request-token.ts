import { createHash } from 'node:crypto'
import type { StoredOriginal } from './upload-event.ts'

/**
 * The same for every delivery of one event, another one when the object has been written again. 64 characters, the most
 * that MediaConvert accepts.
 */
export const requestTokenOf = ({ videoId, storageKey, writing }: StoredOriginal): string =>
  createHash('sha256')
    .update(JSON.stringify([videoId, storageKey, writing]))
    .digest('hex')
