import { setTimeout as delay } from 'node:timers/promises'
import { createBackend } from '../backend.ts'
import { readCallbackConfig } from '../config.ts'
import { consoleLog } from '../log.ts'
import { handleJobEvent } from './job-event.ts'

const backend = createBackend(readCallbackConfig(process.env).backend)
const log = consoleLog(console.log)

/** For job state changes: make it the target of an EventBridge rule. */
export const handler = (event: unknown): Promise<void> =>
  handleJobEvent(event, {
    postComplete: backend.completed,
    postProgress: backend.progressed,
    now: () => Date.now(),
    wait: (ms) => delay(ms),
    log,
  })
