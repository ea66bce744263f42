import { setTimeout as delay } from 'node:timers/promises'
import { createBackend } from '../backend.ts'
import { readSubmitConfig } from '../config.ts'
import { consoleLog } from '../log.ts'
import { createMediaConvert } from '../mediaconvert/index.ts'
import { handleUploadEvent } from './upload-event.ts'

// Made when the function is loaded and used for all its calls, as functions in the cloud do.
const { backend: address, ...mediaConvert } = readSubmitConfig(process.env)
const backend = createBackend(address)
const transcoder = createMediaConvert(mediaConvert)
const log = consoleLog(console.log)

/** For uploads: subscribe it to the bucket's ObjectCreated events, directly or through EventBridge. */
export const handler = (event: unknown): Promise<void> =>
  handleUploadEvent(event, mediaConvert.bucket, {
    transcoder,
    reportSubmitted: backend.submitted,
    reportFailed: (videoId, error) => backend.completed(videoId, { status: 'failed', error }),
    wait: (ms) => delay(ms),
    log,
  })
